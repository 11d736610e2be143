package dev.tidemark.embedded.internal.storage;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A RocksDB write batch in its own wire format, so that threads can prepare their part and the
 * committer only joins the parts: an eight-byte sequence number (zero), a four-byte little-endian
 * count, then the records: a type byte and one or two strings, each with its length as a varint.
 */
public final class BatchBuilder {
  private static final int HEADER_BYTES = 12;
  private static final int COUNT_OFFSET = 8;
  private static final byte DELETION = 0x0;
  private static final byte VALUE = 0x1;
  private static final byte RANGE_DELETION = 0xf;
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] bytes;
  private int size = HEADER_BYTES;
  private int count;

  public BatchBuilder(int capacity) {
    bytes = new byte[HEADER_BYTES + capacity];
  }

  public boolean isEmpty() {
    return count == 0;
  }

  public int size() {
    return size;
  }

  public void put(byte[] key, byte[] value) {
    record(VALUE, key, value);
  }

  public void delete(byte[] key) {
    reserve(1 + stringSize(key));
    bytes[size++] = DELETION;
    string(key);
    count++;
  }

  public void deleteRange(byte[] begin, byte[] end) {
    record(RANGE_DELETION, begin, end);
  }

  /** Appends all records of {@code other}. */
  public void append(BatchBuilder other) {
    int length = other.size - HEADER_BYTES;
    reserve(length);
    System.arraycopy(other.bytes, HEADER_BYTES, bytes, size, length);
    size += length;
    count += other.count;
  }

  /** The batch as RocksDB takes it. */
  public byte[] toByteArray() {
    INTS.set(bytes, COUNT_OFFSET, count);
    return Arrays.copyOf(bytes, size);
  }

  public void reset() {
    size = HEADER_BYTES;
    count = 0;
  }

  private void record(byte type, byte[] first, byte[] second) {
    reserve(1 + stringSize(first) + stringSize(second));
    bytes[size++] = type;
    string(first);
    string(second);
    count++;
  }

  private static int stringSize(byte[] string) {
    return 5 + string.length;
  }

  private void string(byte[] string) {
    int length = string.length;
    while (length > 0x7f) {
      bytes[size++] = (byte) (length | 0x80);
      length >>>= 7;
    }
    bytes[size++] = (byte) length;
    System.arraycopy(string, 0, bytes, size, string.length);
    size += string.length;
  }

  private void reserve(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, bytes.length * 2));
    }
  }
}
