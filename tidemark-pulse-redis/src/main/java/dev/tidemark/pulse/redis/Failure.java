package dev.tidemark.pulse.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** What a failed command means. */
final class Failure {
  /** Answers of a server that will take the command in a while. */
  private static final List<String> PASSING =
      List.of(
          "LOADING",
          "BUSY ",
          "READONLY",
          "MASTERDOWN",
          "CLUSTERDOWN",
          "TRYAGAIN",
          "UNBLOCKED",
          "NOREPLICAS",
          "MISCONF");

  private static final String OF_SCRIPT = "ERR Error running script";

  private Failure() {}

  /**
   * Whether the same command may succeed in a while: the server did not answer, or says so itself.
   */
  static boolean passes(RedisException failure) {
    return !(failure instanceof RedisCommandExecutionException)
        || PASSING.stream().anyMatch(start -> says(message(failure), start));
  }

  /** Before Redis 7 the answer to a command inside a script is wrapped. */
  private static boolean says(String message, String start) {
    return message.startsWith(start)
        || (message.startsWith(OF_SCRIPT) && message.contains(": -" + start));
  }

  /** Whether the server refused to write because it has become a replica. */
  static boolean isOfReplica(RedisException failure) {
    return failure instanceof RedisCommandExecutionException && says(message(failure), "READONLY");
  }

  /** Whether the server answered that there is no such consumer group. */
  static boolean isNoGroup(RedisException failure) {
    return message(failure).startsWith("NOGROUP");
  }

  /** Whether {@code failure} or one of its causes is of this kind. */
  static boolean isCausedBy(Throwable failure, Class<? extends Throwable> kind) {
    for (Throwable next = failure; next != null; next = next.getCause()) {
      if (kind.isInstance(next)) {
        return true;
      }
    }
    return false;
  }

  static String message(Throwable failure) {
    String text = failure.getMessage();
    return text == null ? failure.getClass().getSimpleName() : text;
  }

  /** The innermost message, which names what really happened; without its full stop. */
  static String reason(Throwable failure) {
    Throwable inner = failure;
    while (inner.getCause() != null && !(inner.getCause() instanceof TimeoutException)) {
      inner = inner.getCause();
    }
    String reason = message(inner).strip();
    return reason.endsWith(".") ? reason.substring(0, reason.length() - 1) : reason;
  }
}
