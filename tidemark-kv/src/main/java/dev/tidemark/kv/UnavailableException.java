package dev.tidemark.kv;

import org.jspecify.annotations.Nullable;

/**
 * The store cannot be reached, is too busy for now or has not come to the version asked for.
 * Nothing was written; a later attempt may succeed.
 */
public final class UnavailableException extends DatabaseException {
  private static final int TIMED_OUT = 1004;
  private static final int FUTURE_VERSION = 1009;
  private static final int PROCESS_BEHIND = 1037;

  /** A passing failure with FoundationDB's {@code code} for it. */
  public UnavailableException(int code, String message, @Nullable Throwable cause) {
    super(code, message, cause);
  }

  /** A read of {@code version} while {@code latest} is the latest one committed. */
  public static UnavailableException futureVersion(long version, long latest) {
    return new UnavailableException(
        FUTURE_VERSION,
        ("Version %d cannot be read yet: the latest one committed is %d. Set a version that a"
                + " transaction read or committed, or try again later")
            .formatted(version, latest),
        null);
  }

  /** A store that did not answer for as long as its client waits. */
  public static UnavailableException unanswered(String message, @Nullable Throwable cause) {
    return new UnavailableException(TIMED_OUT, message, cause);
  }

  /** A server that cannot be reached, or takes no requests, for now. */
  public static UnavailableException unreachable(String message, @Nullable Throwable cause) {
    return new UnavailableException(PROCESS_BEHIND, message, cause);
  }

  /** Whether the store was waited for in vain, for as long as its client waits. */
  public boolean waited() {
    return code() == TIMED_OUT;
  }

  @Override
  public boolean retryable() {
    return true;
  }
}
