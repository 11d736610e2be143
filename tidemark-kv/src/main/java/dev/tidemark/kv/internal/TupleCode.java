package dev.tidemark.kv.internal;

/** The first byte of each packed element: its type. Described in docs/formats/tuple.md. */
public final class TupleCode {
  public static final byte NULL = 0x00;
  public static final byte BYTES = 0x01;
  public static final byte STRING = 0x02;
  public static final byte NESTED = 0x05;
  public static final byte NEGATIVE_BIG = 0x0b;

  /** Zero. The codes up to eight below and above are integers of one to eight bytes. */
  public static final byte ZERO = 0x14;

  public static final byte POSITIVE_BIG = 0x1d;
  public static final byte FLOAT = 0x20;
  public static final byte DOUBLE = 0x21;
  public static final byte FALSE = 0x26;
  public static final byte TRUE = 0x27;
  public static final byte UUID = 0x30;
  public static final byte VERSIONSTAMP = 0x33;

  /** No element begins with it; after a zero byte it says that the zero is not an end. */
  public static final byte ESCAPE = (byte) 0xff;

  /** Tuples inside tuples inside tuples: how many, so that recursion over them is bounded. */
  public static final int MAX_DEPTH = 1_000;

  /** In place of the position of an incomplete versionstamp: the tuple has none. */
  public static final int NO_STAMP = -1;

  /** In place of the position of an incomplete versionstamp: the tuple has several. */
  public static final int MANY_STAMPS = -2;

  private TupleCode() {}

  public static boolean isInteger(byte code) {
    return code >= NEGATIVE_BIG && code <= POSITIVE_BIG;
  }

  /** What a person calls the type with this code. */
  public static String name(byte code) {
    return switch (code) {
      case NULL -> "null";
      case BYTES -> "a byte string";
      case STRING -> "a string";
      case NESTED -> "a tuple";
      case FLOAT -> "a float";
      case DOUBLE -> "a double";
      case FALSE, TRUE -> "a boolean";
      case UUID -> "a UUID";
      case VERSIONSTAMP -> "a versionstamp";
      default -> "an integer";
    };
  }
}
