package dev.tidemark.records.internal.changes;

import dev.tidemark.records.DamagedRecordException;

/** Reads what {@link ByteWriter} wrote. */
final class ByteReader {
  private final byte[] bytes;
  private final int end;
  private int at;

  ByteReader(Wire part) {
    this.bytes = part.bytes();
    this.at = part.start();
    this.end = part.end();
  }

  int next() {
    if (at >= end) {
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
  Wire sized() {
    int length = number();
    if (length > end - at) {
      throw damaged();
    }
    at += length;
    return new Wire(bytes, at - length, at);
  }

  /** Everything that follows. */
  Wire rest() {
    return new Wire(bytes, at, end);
  }

  private static DamagedRecordException damaged() {
    return new DamagedRecordException(
        "A row of a change log ends too early or has a number that is too large");
  }
}
