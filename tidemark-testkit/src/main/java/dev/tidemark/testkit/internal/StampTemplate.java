package dev.tidemark.testkit.internal;

import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.Versionstamp;
import java.util.Arrays;

/** A key or a value, which may have a place for the ten bytes of a versionstamp. */
public final class StampTemplate {
  private final byte[] bytes;

  /** Where the stamp goes; -1 in bytes without one. */
  private final int offset;

  private StampTemplate(byte[] bytes, int offset) {
    this.bytes = bytes;
    this.offset = offset;
  }

  /** {@code bytes} without a place for a stamp. */
  public static StampTemplate plain(byte[] bytes) {
    return new StampTemplate(bytes.clone(), -1);
  }

  /** Takes the last four bytes, a little-endian offset, off {@code bytes}. */
  public static StampTemplate parse(byte[] bytes) {
    int length = bytes.length - 4;
    if (length < 0) {
      throw UsageException.invalidMutation(
          "A versionstamped operand ends in four bytes of offset; this one has only "
              + bytes.length);
    }
    long offset = 0;
    for (int i = 3; i >= 0; i--) {
      offset = offset << 8 | (bytes[length + i] & 0xff);
    }
    if (offset + Versionstamp.COMMIT_BYTES > length) {
      throw UsageException.invalidMutation(
          "The versionstamp would take bytes %d to %d; there are only %d"
              .formatted(offset, offset + Versionstamp.COMMIT_BYTES, length));
    }
    return new StampTemplate(Arrays.copyOf(bytes, length), (int) offset);
  }

  /** The bytes as they are before the commit. */
  public byte[] plain() {
    return bytes.clone();
  }

  /** The bytes with {@code stamp} in its place. */
  public byte[] filled(Versionstamp stamp) {
    byte[] filled = bytes.clone();
    System.arraycopy(stamp.toByteArray(), 0, filled, offset, Versionstamp.COMMIT_BYTES);
    return filled;
  }
}
