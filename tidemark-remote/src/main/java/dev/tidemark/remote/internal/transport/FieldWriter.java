package dev.tidemark.remote.internal.transport;

import java.util.Arrays;

/**
 * A message in protobuf's format, written field by field. As in proto3, numbers that are zero and
 * bytes that are empty are left out. Numbers of fields are below 16 here, so that a tag is a byte.
 */
public final class FieldWriter {
  private static final int LENGTH = 2;

  private byte[] bytes;
  private int size;

  /** An empty message, with room for {@code expected} bytes. */
  public FieldWriter(int expected) {
    this.bytes = new byte[expected];
  }

  /** The begin of a request or reply as a field of its frame; {@code size} bytes have to follow. */
  public static FieldWriter enveloped(long id, int kind, int size) {
    int whole = sizeOfNumber(id) + sizeOfMessage(size);
    FieldWriter frame = new FieldWriter(sizeOfMessage(whole));
    frame.begin(Frame.MESSAGES, whole);
    frame.number(1, id);
    frame.begin(kind, size);
    return frame;
  }

  public static int sizeOfNumber(long value) {
    return value == 0 ? 0 : 1 + sizeOfVarint(value);
  }

  /** The size of a field with bytes or a message of {@code length}. */
  public static int sizeOfMessage(int length) {
    return 1 + sizeOfVarint(length) + length;
  }

  public static int sizeOfBytes(byte[] value) {
    return value.length == 0 ? 0 : sizeOfMessage(value.length);
  }

  private static int sizeOfVarint(long value) {
    int significant = Long.SIZE - Long.numberOfLeadingZeros(value | 1);
    return (significant + 6) / 7;
  }

  /** The size of bytes with their length before them. */
  static int sizeOfPart(int length) {
    return sizeOfVarint(length) + length;
  }

  /** Bytes with their length before them, as no field of their own. */
  void part(byte[] value) {
    ensure(sizeOfPart(value.length));
    varint(value.length);
    raw(value, value.length);
  }

  public void number(int field, long value) {
    if (value != 0) {
      ensure(sizeOfNumber(value));
      bytes[size++] = (byte) (field << 3);
      varint(value);
    }
  }

  public void bytes(int field, byte[] value) {
    if (value.length > 0) {
      presentBytes(field, value);
    }
  }

  /** Bytes that are there even if they are empty. */
  public void presentBytes(int field, byte[] value) {
    begin(field, value.length);
    raw(value, value.length);
  }

  /** A message whose {@code length} bytes follow. */
  public void begin(int field, int length) {
    ensure(1 + sizeOfVarint(length));
    bytes[size++] = (byte) (field << 3 | LENGTH);
    varint(length);
  }

  /** All fields of {@code other}. */
  public void contents(FieldWriter other) {
    raw(other.bytes, other.size);
  }

  public int size() {
    return size;
  }

  public byte[] toByteArray() {
    return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
  }

  private void raw(byte[] value, int length) {
    ensure(length);
    System.arraycopy(value, 0, bytes, size, length);
    size += length;
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  private void ensure(int more) {
    if (more > bytes.length - size) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
    }
  }
}
