package dev.tidemark.kv.spi.commit;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.Versionstamp;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Bytes with a place for the ten bytes of a versionstamp. Callers write the place as a four-byte
 * little-endian offset behind the bytes.
 */
public final class StampTemplate {
  private static final int OFFSET_BYTES = 4;

  private final byte[] bytes;
  private final int offset;

  private StampTemplate(byte[] bytes, int offset) {
    this.bytes = bytes;
    this.offset = offset;
  }

  /**
   * Reads bytes with an offset behind them.
   *
   * @throws UsageException if the offset is missing or leaves no room for the stamp
   */
  public static StampTemplate parse(byte[] withOffset) {
    int offset = offset(withOffset);
    return new StampTemplate(Arrays.copyOf(withOffset, withOffset.length - OFFSET_BYTES), offset);
  }

  /**
   * Checks bytes with an offset behind them.
   *
   * @throws UsageException if the offset is missing or leaves no room for the stamp
   */
  public static void check(byte[] withOffset) {
    var unused = offset(withOffset);
  }

  /** {@code withOffset} with the stamp of a commit in its place, without the offset. */
  public static byte[] fill(byte[] withOffset, long version, int batch) {
    int offset = offset(withOffset);
    byte[] filled = Arrays.copyOf(withOffset, withOffset.length - OFFSET_BYTES);
    stamp(filled, offset, version, batch);
    return filled;
  }

  private static void stamp(byte[] bytes, int offset, long version, int batch) {
    ByteBuffer.wrap(bytes, offset, Versionstamp.COMMIT_BYTES)
        .putLong(version)
        .putShort((short) batch);
  }

  private static int offset(byte[] withOffset) {
    int length = withOffset.length - OFFSET_BYTES;
    int offset =
        length < 0 ? -1 : ByteBuffer.wrap(withOffset).order(ByteOrder.LITTLE_ENDIAN).getInt(length);
    if (offset < 0 || offset > length - Versionstamp.COMMIT_BYTES) {
      throw UsageException.invalidOperation(
          ("The last four bytes must be the little-endian offset of ten bytes for the versionstamp;"
                  + " of %,d bytes they give the offset %,d")
              .formatted(withOffset.length, offset));
    }
    return offset;
  }

  /** Number of bytes, with the stamp and without the offset. */
  public int size() {
    return bytes.length;
  }

  /** The bytes with the offset behind them, as callers write them. */
  public byte[] withOffset() {
    byte[] joined = Arrays.copyOf(bytes, bytes.length + OFFSET_BYTES);
    ByteBuffer.wrap(joined).order(ByteOrder.LITTLE_ENDIAN).putInt(bytes.length, offset);
    return joined;
  }

  /** The bytes with the stamp of the {@code batch}-th commit of {@code version} in their place. */
  public byte[] fill(long version, int batch) {
    byte[] filled = bytes.clone();
    stamp(filled, offset, version, batch);
    return filled;
  }

  /** The bytes as they were given, with whatever stands in the place of the stamp. */
  public Key unfilled() {
    return Key.wrap(bytes);
  }

  /**
   * The keys that this can become in a commit after {@code readVersion}. A stamp at the very
   * beginning has no prefix to hold its keys together: then these are all up to the last legal one.
   */
  public KeyRange possibleKeys(long readVersion) {
    Key lowest = Key.wrap(fill(readVersion + 1, 0));
    Key end = Key.wrap(fill(-1, -1)).next();
    return KeyRange.of(lowest, end.compareTo(Key.END) < 0 ? end : Key.END);
  }
}
