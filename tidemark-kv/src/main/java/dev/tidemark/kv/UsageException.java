package dev.tidemark.kv;

/**
 * A mistake in the program: the call can never succeed as it is. The message says what to change.
 */
public final class UsageException extends DatabaseException {
  private static final int CLIENT_INVALID_OPERATION = 2000;
  private static final int KEY_OUTSIDE_LEGAL_RANGE = 2004;
  private static final int INVERTED_RANGE = 2005;
  private static final int INVALID_OPTION_VALUE = 2006;
  private static final int READ_VERSION_ALREADY_SET = 2010;
  private static final int VERSION_INVALID = 2011;
  private static final int RANGE_LIMITS_INVALID = 2012;
  private static final int INVALID_MUTATION_TYPE = 2018;

  private UsageException(int code, String message) {
    super(code, message, null);
  }

  /** A call that makes no sense in the state of the object. */
  public static UsageException invalidOperation(String message) {
    return new UsageException(CLIENT_INVALID_OPERATION, message);
  }

  /** A key that programs may not read or write. */
  public static UsageException keyOutsideLegalRange(Key key) {
    return new UsageException(
        KEY_OUTSIDE_LEGAL_RANGE,
        "The key " + key + " is outside the range that programs may use: it must be below ff");
  }

  /** A range whose end comes before its begin. */
  public static UsageException invertedRange(Key begin, Key end) {
    return new UsageException(
        INVERTED_RANGE,
        "The range is inverted: its end " + end + " comes before its begin " + begin);
  }

  /** An option with a value that is not allowed. */
  public static UsageException invalidOption(String message) {
    return new UsageException(INVALID_OPTION_VALUE, message);
  }

  /** A read version for a transaction that has one. */
  public static UsageException readVersionAlreadySet(long version) {
    return new UsageException(
        READ_VERSION_ALREADY_SET,
        ("The transaction reads version %d already; set the read version once, before the first"
                + " read")
            .formatted(version));
  }

  /** A version that no commit can have. */
  public static UsageException invalidVersion(long version) {
    return new UsageException(
        VERSION_INVALID, "The version is " + version + "; versions are greater than zero");
  }

  /** A scan limit that is not allowed. */
  public static UsageException invalidScanLimit(String message) {
    return new UsageException(RANGE_LIMITS_INVALID, message);
  }

  /** A mutation with an operand or on a key that it does not take. */
  public static UsageException invalidMutation(String message) {
    return new UsageException(INVALID_MUTATION_TYPE, message);
  }

  /** A mistake that a store has found, with its {@code code} and its words for it. */
  public static UsageException reported(int code, String message) {
    return new UsageException(code, message);
  }
}
