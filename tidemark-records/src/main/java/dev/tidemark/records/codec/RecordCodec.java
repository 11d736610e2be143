package dev.tidemark.records.codec;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Encodes records of one type in protobuf's wire format, decodes them, and gives access to their
 * fields. The annotation processor writes one for each type; it uses no reflection.
 *
 * @param <R> the Java type
 */
public interface RecordCodec<R> {
  /**
   * Writes the fields of {@code record}, the highest number first, because {@link RecordWriter}
   * writes from the last byte to the first.
   */
  void write(R record, RecordWriter out);

  /** Reads fields in any order until {@code in} has no more. */
  R read(RecordReader in);

  /**
   * The value of the field with {@code number}; null where it has none. A nested record comes as it
   * is, an enum as its constant.
   */
  @Nullable Object get(R record, int number);

  /**
   * The codec of the nested record, or of the nested elements, in the field with {@code number}.
   */
  default RecordCodec<?> nested(int number) {
    throw new IllegalArgumentException("Field " + number + " holds no nested record");
  }

  /**
   * {@code record} with defaults for fields that are null; the same object where there are none.
   */
  default R withDefaults(R record, Instant now) {
    return record;
  }

  /**
   * {@code record} with another value in the field with {@code number}; for delete rules.
   *
   * @param value the value as {@link #get} returns it
   */
  R with(R record, int number, @Nullable Object value);
}
