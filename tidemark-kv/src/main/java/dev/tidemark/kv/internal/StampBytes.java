package dev.tidemark.kv.internal;

import java.util.HexFormat;

/** The twelve bytes of a versionstamp: ten that the commit fills in, two of the program. */
public final class StampBytes {
  /** Bytes of a stamp with its user version. */
  public static final int LENGTH = 12;

  /** Bytes that the store puts in at commit. */
  public static final int COMMIT_LENGTH = 10;

  private StampBytes() {}

  /** Whether the commit's part of the stamp at {@code at} is known. */
  public static boolean isComplete(byte[] bytes, int at) {
    for (int i = at; i < at + COMMIT_LENGTH; i++) {
      if (bytes[i] != (byte) 0xff) {
        return true;
      }
    }
    return false;
  }

  /** The user version of the stamp at {@code at}. */
  public static int userVersion(byte[] bytes, int at) {
    int begin = at + COMMIT_LENGTH;
    return ((bytes[begin] & 0xff) << 8) | (bytes[begin + 1] & 0xff);
  }

  /** The stamp at {@code at} for people. */
  public static String print(byte[] bytes, int at) {
    String commit =
        isComplete(bytes, at)
            ? HexFormat.of().formatHex(bytes, at, at + COMMIT_LENGTH)
            : "incomplete";
    return "Versionstamp(" + commit + ", " + userVersion(bytes, at) + ")";
  }
}
