package dev.tidemark.remote.internal;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.UnsafeByteOperations;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.StorageException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** Rows of a scan one behind the other: length of the key, key, length of the value, value. */
final class PackedRows {
  private static final int LENGTH_BYTES_MAX = 5;

  private byte[] bytes;
  private int size;

  /** No rows yet, and room for {@code expected} bytes. */
  PackedRows(int expected) {
    this.bytes = new byte[expected];
  }

  int size() {
    return size;
  }

  void add(KeyValue row) {
    byte[] key = row.key().unsafeBytes();
    byte[] value = row.value();
    int needed = size + key.length + value.length + 2 * LENGTH_BYTES_MAX;
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, 2 * bytes.length));
    }
    append(key);
    append(value);
  }

  private void append(byte[] part) {
    int length = part.length;
    while (length >= 0x80) {
      bytes[size++] = (byte) (length | 0x80);
      length >>>= 7;
    }
    bytes[size++] = (byte) length;
    System.arraycopy(part, 0, bytes, size, part.length);
    size += part.length;
  }

  /** The rows added so far, without a copy: nothing may be added afterwards. */
  ByteString toBytes() {
    return UnsafeByteOperations.unsafeWrap(bytes, 0, size);
  }

  /** Adds the rows of {@code packed} to {@code rows}. */
  static void unpack(ByteString packed, List<KeyValue> rows) {
    CodedInputStream in = packed.newCodedInput();
    try {
      while (!in.isAtEnd()) {
        Key key = Key.wrap(in.readRawBytes(in.readRawVarint32()));
        rows.add(new KeyValue(key, in.readRawBytes(in.readRawVarint32())));
      }
    } catch (IOException malformed) {
      throw new StorageException(
          StorageException.Kind.WRONG_FORMAT,
          "The server sent %,d bytes that are not rows".formatted(packed.size()),
          malformed);
    }
  }
}
