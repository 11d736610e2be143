package dev.tidemark.records.internal.changes;

import dev.tidemark.records.codec.RecordReader;
import java.util.Arrays;

/**
 * Fields in wire format, such as a record.
 *
 * @param bytes where they are; nobody changes them
 * @param start where they begin
 * @param end where they end
 */
@SuppressWarnings("ArrayRecordComponent") // compared by isSame
public record Wire(byte[] bytes, int start, int end) {
  static final Wire NOTHING = new Wire(new byte[0]);

  /** The fields that {@code bytes} are. */
  public Wire(byte[] bytes) {
    this(bytes, 0);
  }

  /** The fields in {@code bytes} from {@code start} on. */
  public Wire(byte[] bytes, int start) {
    this(bytes, start, bytes.length);
  }

  int length() {
    return end - start;
  }

  boolean isSame(Wire other) {
    return Arrays.equals(bytes, start, end, other.bytes, other.start, other.end);
  }

  byte[] copy() {
    return Arrays.copyOfRange(bytes, start, end);
  }

  WireFields fields() {
    return WireFields.of(this);
  }

  RecordReader reader() {
    return new RecordReader(bytes, start, length());
  }
}
