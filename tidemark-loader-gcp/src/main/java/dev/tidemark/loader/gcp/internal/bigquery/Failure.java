package dev.tidemark.loader.gcp.internal.bigquery;

import com.google.cloud.bigquery.BigQueryError;
import com.google.cloud.bigquery.BigQueryException;
import java.util.Set;

/**
 * What BigQuery says about something that went wrong.
 *
 * @param code the status of the answer; 0 if there was none, or the failure is a job's
 * @param reason BigQuery's word for it, empty if there is none
 * @param message what it says to people
 */
public record Failure(int code, String reason, String message) {
  private static final Set<String> PASSING =
      Set.of(
          "rateLimitExceeded",
          "jobRateLimitExceeded",
          "userRateLimitExceeded",
          "quotaExceeded",
          "backendError",
          "jobBackendError",
          "internalError",
          "jobInternalError",
          "tableUnavailable",
          "resourceInUse",
          "timeout",
          "stopped");

  private static final Set<String> LASTING =
      Set.of(
          "notFound",
          "accessDenied",
          "authError",
          "forbidden",
          "billingNotEnabled",
          "billingTierLimitExceeded",
          "invalidUser",
          "userProjectMissing",
          "notImplemented");

  /** What has to be done about a failure. */
  public enum Kind {
    /** Try again later. */
    PASSING,
    /** Somebody has to do something. */
    LASTING,
    /** A row, or the size of the batch, or the table does not fit. */
    DATA
  }

  /** What an exception of the client says. */
  public static Failure of(BigQueryException failure) {
    String reason = failure.getReason();
    return new Failure(
        failure.getCode(), reason == null ? "" : reason, String.valueOf(failure.getMessage()));
  }

  static Failure of(BigQueryError error) {
    String reason = error.getReason();
    return new Failure(0, reason == null ? "" : reason, String.valueOf(error.getMessage()));
  }

  /** Whether the request was refused for certain, so that nothing of it can come later. */
  boolean isRefusal() {
    return code >= 400 && code < 500 && code != 408;
  }

  /** Which kind it is. Two statements that change a table at once are reported as a bad query. */
  public Kind kind() {
    if (PASSING.contains(reason) || code == 429 || code >= 500) {
      return Kind.PASSING;
    }
    if (message.contains("concurrent update") || message.contains("Could not serialize")) {
      return Kind.PASSING;
    }
    if (LASTING.contains(reason) || code == 401 || code == 403 || code == 404) {
      return Kind.LASTING;
    }
    return reason.startsWith("invalid")
            || reason.equals("resourcesExceeded")
            || reason.equals("responseTooLarge")
            || code == 400
            || code == 413
        ? Kind.DATA
        : Kind.PASSING;
  }

  /** One line for people. */
  public String text() {
    String word = reason.isEmpty() ? "BigQuery" : "BigQuery " + reason;
    return code == 0 ? word + ": " + message : "%s (%d): %s".formatted(word, code, message);
  }
}
