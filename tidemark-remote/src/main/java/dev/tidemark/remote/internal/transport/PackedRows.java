package dev.tidemark.remote.internal.transport;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.StorageException;
import java.util.Arrays;
import java.util.List;

/** Rows of a scan one behind the other: length of the key, key, length of the value, value. */
public final class PackedRows {
  /** No rows. */
  public static final Reader NONE = new Reader(Wire.NO_BYTES, 0, 0);

  private PackedRows() {}

  /** How many bytes {@code rows} take. */
  public static int sizeOf(List<KeyValue> rows) {
    long size = 0;
    for (KeyValue row : rows) {
      size += FieldWriter.sizeOfPart(row.key().size());
      size += FieldWriter.sizeOfPart(row.value().length);
    }
    return Math.toIntExact(size);
  }

  /** Writes {@code rows} as they are. */
  public static void write(List<KeyValue> rows, FieldWriter to) {
    for (KeyValue row : rows) {
      to.part(row.key().unsafeBytes());
      to.part(row.value());
    }
  }

  /** The key of the last row, and how many rows there are up to it. */
  public record Last(Key key, int count) {}

  /** Goes through packed rows. For one thread. */
  public static final class Reader {
    private final byte[] bytes;
    private final int end;
    private int at;

    /** Rows in a part of {@code bytes}, which never change. */
    public Reader(byte[] bytes, int begin, int end) {
      this.bytes = bytes;
      this.at = begin;
      this.end = end;
    }

    /** The bytes of the rows that are left. */
    int size() {
      return end - at;
    }

    /** The bytes that these rows keep in memory. */
    public int held() {
      return bytes.length;
    }

    /** The same rows, in an array of their own if they are in a much longer one. */
    public Reader compact() {
      return 2 * size() >= bytes.length
          ? copyOf()
          : new Reader(Arrays.copyOfRange(bytes, at, end), 0, size());
    }

    /** Another view of the rows that are left here. */
    public Reader copyOf() {
      return new Reader(bytes, at, end);
    }

    /** Goes to the first key that is not before {@code key}; returns how many rows are left. */
    public int goTo(Key key, int count) {
      int left = count;
      while (hasNext()) {
        int row = at;
        int length = length();
        if (Arrays.compareUnsigned(bytes, at, at + length, key.unsafeBytes(), 0, key.size()) >= 0) {
          at = row;
          return left;
        }
        at += length;
        skip();
        left--;
      }
      return left;
    }

    public boolean hasNext() {
      return at < end;
    }

    public KeyValue next() {
      Key key = Key.wrap(copy());
      return new KeyValue(key, copy());
    }

    /** The last row, without going to it; there has to be one. */
    public Last last() {
      Reader ahead = new Reader(bytes, at, end);
      int last = at;
      int count = 0;
      while (ahead.hasNext()) {
        last = ahead.at;
        ahead.skip();
        ahead.skip();
        count++;
      }
      ahead.at = last;
      return new Last(Key.wrap(ahead.copy()), count);
    }

    private byte[] copy() {
      int length = length();
      byte[] copied = Arrays.copyOfRange(bytes, at, at + length);
      at += length;
      return copied;
    }

    private void skip() {
      int length = length();
      at += length;
    }

    private int length() {
      int length = 0;
      int shift = 0;
      byte next;
      do {
        if (at == end || shift > 28) {
          throw notRows();
        }
        next = bytes[at++];
        length |= (next & 0x7f) << shift;
        shift += 7;
      } while (next < 0);
      if (length < 0 || length > end - at) {
        throw notRows();
      }
      return length;
    }

    private static StorageException notRows() {
      return new StorageException(
          StorageException.Kind.WRONG_FORMAT,
          "The server sent something that is not rows; use the same release on both sides",
          null);
    }
  }
}
