package dev.tidemark.pulse.redis.internal.link;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** What a failed command means. */
public final class Failure {
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

  /** What to do about {@link #isOfCredentials}. */
  static final String CREDENTIALS =
      "Check RedisOptions.withCredentials or withPassword against the server's users";

  private static final String OF_SCRIPT = "ERR Error running script";

  private Failure() {}

  /**
   * Whether the same command may succeed in a while: the server did not answer, or says so itself.
   */
  static boolean passes(RedisException failure) {
    return !isAnswer(failure) || PASSING.stream().anyMatch(start -> says(message(failure), start));
  }

  /** Whether the server answered, so that nothing of the command is on its way any more. */
  public static boolean isAnswer(RedisException failure) {
    return failure instanceof RedisCommandExecutionException;
  }

  /** Before Redis 7 the answer to a command inside a script is wrapped. */
  private static boolean says(String message, String start) {
    return message.startsWith(start)
        || (message.startsWith(OF_SCRIPT) && message.contains(": -" + start));
  }

  /** Whether the server refused to write because it has become a replica. */
  static boolean isOfReplica(RedisException failure) {
    return isAnswer(failure) && says(message(failure), "READONLY");
  }

  /** Whether the server answered that there is no such consumer group. */
  public static boolean isNoGroup(Throwable failure) {
    return answer(failure).startsWith("NOGROUP");
  }

  /** What the server answered, also if {@code failure} is what was made of that for a caller. */
  public static String answer(Throwable failure) {
    return message(failure.getCause() instanceof RedisException cause ? cause : failure);
  }

  /** What can be done about an answer that does not pass. */
  static String remedy(RedisException failure) {
    String answer = message(failure);
    if (tellsOf(answer, "OOM ")) {
      return "The server has reached its maxmemory: raise it, or keep less in it, as with"
          + " StreamOptions.withLengthMax";
    }
    if (tellsOf(answer, "WRONGTYPE ")) {
      return "A key of this name is something else: take another name, or remove the key";
    }
    if (tellsOf(answer, "NOPERM ")
        || answer.contains("The user executing the script can't")
        || answer.contains("ACL failure in script")) {
      return "Let the user of RedisOptions.withCredentials have the command, key or channel (ACL"
          + " SETUSER)";
    }
    if (isOfCredentials(answer)) {
      return CREDENTIALS;
    }
    return "Look at the server's settings and its log";
  }

  /** Before Redis 7 with more words before it. */
  private static boolean tellsOf(String answer, String code) {
    return answer.startsWith(code) || (answer.startsWith(OF_SCRIPT) && answer.contains(code));
  }

  /** Whether the server does not know the user, or the password is another one. */
  static boolean isOfCredentials(String reason) {
    return reason.contains("WRONGPASS")
        || reason.contains("NOAUTH")
        || reason.contains("without any password")
        || reason.contains("invalid username");
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
