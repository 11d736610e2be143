package dev.tidemark.records.internal.changes;

import java.util.Arrays;

/** Bytes and variable-length numbers, one behind the other. */
final class ByteWriter {
  private byte[] bytes;
  private int size;

  ByteWriter(int capacity) {
    this.bytes = new byte[capacity];
  }

  private void need(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
    }
  }

  ByteWriter put(int single) {
    need(1);
    bytes[size++] = (byte) single;
    return this;
  }

  /** Seven bits a byte, the lowest first; all bytes but the last have the highest bit. */
  ByteWriter number(int value) {
    int rest = value;
    while ((rest & ~0x7f) != 0) {
      put(rest | 0x80);
      rest >>>= 7;
    }
    return put(rest);
  }

  ByteWriter put(byte[] from, int start, int end) {
    need(end - start);
    System.arraycopy(from, start, bytes, size, end - start);
    size += end - start;
    return this;
  }

  ByteWriter put(byte[] all) {
    return put(all, 0, all.length);
  }

  ByteWriter put(Wire part) {
    return put(part.bytes(), part.start(), part.end());
  }

  /** {@code part} with its length before it. */
  ByteWriter sized(Wire part) {
    return number(part.length()).put(part);
  }

  /** {@code all} with their length before them. */
  ByteWriter sized(byte[] all) {
    return number(all.length).put(all);
  }

  /** All bytes; nothing is added after this. */
  byte[] toByteArray() {
    return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
  }
}
