package dev.tidemark.records.internal.changes;

import dev.tidemark.records.DamagedRecordException;
import java.util.Arrays;

/** Reads what {@link ByteWriter} wrote. */
final class ByteReader {
  private final byte[] bytes;
  private int at;

  ByteReader(byte[] bytes, int start) {
    this.bytes = bytes;
    this.at = start;
  }

  int next() {
    if (at >= bytes.length) {
      throw damaged();
    }
    return bytes[at++] & 0xff;
  }

  int number() {
    long value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      int next = next();
      value |= (long) (next & 0x7f) << shift;
      if (next < 0x80) {
        if (value > Integer.MAX_VALUE) {
          throw damaged();
        }
        return (int) value;
      }
    }
    throw damaged();
  }

  /** What {@link ByteWriter#sized} wrote. */
  byte[] sized() {
    int length = number();
    if (length > bytes.length - at) {
      throw damaged();
    }
    at += length;
    return Arrays.copyOfRange(bytes, at - length, at);
  }

  byte[] rest() {
    return Arrays.copyOfRange(bytes, at, bytes.length);
  }

  private static DamagedRecordException damaged() {
    return new DamagedRecordException(
        "A row of a change log ends too early or has a number that is too large");
  }
}
