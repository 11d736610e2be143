package dev.tidemark.foundationdb.internal;

import com.apple.foundationdb.FDBException;
import dev.tidemark.kv.DatabaseException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Our failures as FoundationDB's. The codes are the same on both sides. */
public final class FdbErrors {
  public static final int TRANSACTION_CANCELLED = 1025;
  public static final int TRANSACTION_TIMED_OUT = 1031;
  public static final int TOO_MANY_WATCHES = 1032;
  public static final int WATCHES_DISABLED = 1034;
  public static final int CLIENT_INVALID_OPERATION = 2000;
  public static final int INVALID_OPTION_VALUE = 2006;
  public static final int INVALID_OPTION = 2007;
  public static final int USED_DURING_COMMIT = 2017;
  public static final int INVALID_MUTATION_TYPE = 2018;
  public static final int NO_COMMIT_VERSION = 2021;
  public static final int MAPPER_BAD_INDEX = 2030;
  public static final int MAPPER_BAD_RANGE = 2032;
  public static final int KEY_NOT_TUPLE = 2041;
  public static final int VALUE_NOT_TUPLE = 2042;
  public static final int MAPPER_NOT_TUPLE = 2043;
  public static final int TRANSACTION_TOO_LARGE = 2101;
  public static final int UNSUPPORTED_OPERATION = 2108;
  public static final int SPECIAL_KEYS_NO_MODULE_FOUND = 2113;
  public static final int TENANTS_DISABLED = 2136;
  public static final int EXACT_MODE_WITHOUT_LIMITS = 2210;

  private FdbErrors() {}

  /** What a caller of fdb-java gets for {@code failure}. */
  public static Throwable of(Throwable failure) {
    return failure instanceof DatabaseException ours ? of(ours) : failure;
  }

  public static FDBException of(DatabaseException failure) {
    FDBException translated = new FDBException(failure.getMessage(), failure.code());
    translated.initCause(failure);
    return translated;
  }

  /** {@code earlier} once more, for another call. */
  public static FDBException again(FDBException earlier) {
    FDBException again = new FDBException(earlier.getMessage(), earlier.getCode());
    again.initCause(earlier);
    return again;
  }

  /** {@code reported} itself, unless it says that nothing failed. */
  public static FDBException failure(FDBException reported) {
    return reported.getCode() == 0
        ? new FDBException(
            "onError was given code 0, which is no failure; call it with what a call has failed"
                + " with",
            CLIENT_INVALID_OPERATION)
        : reported;
  }

  /** Does {@code work}; its failure is translated to the one that a caller of fdb-java gets. */
  public static void translate(Runnable work) {
    try {
      work.run();
    } catch (DatabaseException failure) {
      throw of(failure);
    }
  }

  /** The failure without the exceptions that futures wrap around it. */
  public static Throwable unwrap(Throwable failure) {
    boolean wrapped =
        failure instanceof CompletionException || failure instanceof ExecutionException;
    Throwable cause = failure.getCause();
    return wrapped && cause != null ? cause : failure;
  }

  /** Mapped ranges need reads that see own writes. */
  public static FDBException noMappedRanges() {
    return new FDBException(
        "A cluster refuses mapped ranges where own writes are hidden from reads, and so does this"
            + " store",
        UNSUPPORTED_OPERATION);
  }

  public static FDBException notOffered(String what) {
    return new FDBException(
        what + " are not offered by a Tidemark store behind FoundationDB's interface",
        UNSUPPORTED_OPERATION);
  }
}
