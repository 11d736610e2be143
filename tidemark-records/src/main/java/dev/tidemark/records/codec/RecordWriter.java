package dev.tidemark.records.codec;

import dev.tidemark.records.internal.format.SurrogatePairs;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.UUID;

/**
 * Writes a record in protobuf's wire format from its last byte to its first. So the length of a
 * nested record is known when it is needed, and nothing is measured or moved. Callers write fields,
 * and the elements of a field, last first.
 *
 * <p>For generated codecs. Used by one thread.
 */
public final class RecordWriter {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle BIG_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final int FIRST_CAPACITY = 256;

  private byte[] buffer = new byte[FIRST_CAPACITY];

  /** The index of the first byte written so far. */
  private int start = FIRST_CAPACITY;

  /** A writer that has written nothing. */
  public RecordWriter() {}

  /** The bytes written so far, in the order of reading. */
  public byte[] toByteArray() {
    return Arrays.copyOfRange(buffer, start, buffer.length);
  }

  /** How many bytes have been written. */
  public int size() {
    return buffer.length - start;
  }

  // ---- fields

  /** A boolean field. */
  public void bool(int number, boolean value) {
    bool(value);
    tag(number, WireType.VARINT);
  }

  /** A field with a whole number, as {@code sint64}. */
  public void sint(int number, long value) {
    sint(value);
    tag(number, WireType.VARINT);
  }

  /** A field with a count, a code or a constant, as {@code uint64}. */
  public void uint(int number, long value) {
    varint(value);
    tag(number, WireType.VARINT);
  }

  /** A field with a {@code float}. */
  public void float32(int number, float value) {
    float32(value);
    tag(number, WireType.FIXED32);
  }

  /** A field with a {@code double}. */
  public void float64(int number, double value) {
    float64(value);
    tag(number, WireType.FIXED64);
  }

  /**
   * A field with a text.
   *
   * @throws IllegalArgumentException if it has half a surrogate pair, which UTF-8 has no form for
   */
  public void string(int number, String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    if (!SurrogatePairs.areWhole(value, utf8)) {
      throw new IllegalArgumentException(
          "The text of field %d has half a surrogate pair at index %d, which has no UTF-8 form"
              .formatted(number, SurrogatePairs.halfIn(value)));
    }
    bytes(number, utf8);
  }

  /** A field with bytes. */
  public void bytes(int number, byte[] value) {
    int end = size();
    raw(value);
    length(number, end);
  }

  /** A field with a UUID, as sixteen bytes. */
  public void uuid(int number, UUID value) {
    int end = size();
    int at = claim(2 * Long.BYTES);
    BIG_ENDIAN_LONG.set(buffer, at, value.getMostSignificantBits());
    BIG_ENDIAN_LONG.set(buffer, at + Long.BYTES, value.getLeastSignificantBits());
    length(number, end);
  }

  /** A field with a whole number of any size, as the bytes of its two's complement. */
  public void bigInteger(int number, BigInteger value) {
    bytes(number, value.toByteArray());
  }

  /** A field with a decimal number: the unscaled number (1) and the scale (2). */
  public void decimal(int number, BigDecimal value) {
    int end = size();
    if (value.scale() != 0) {
      sint(2, value.scale());
    }
    bigInteger(1, value.unscaledValue());
    length(number, end);
  }

  /** A field with a moment, as {@code google.protobuf.Timestamp}. */
  public void instant(int number, Instant value) {
    secondsAndNanos(number, value.getEpochSecond(), value.getNano());
  }

  /** A field with a duration, as seconds (1) and nanoseconds (2), which are never negative. */
  public void duration(int number, Duration value) {
    secondsAndNanos(number, value.getSeconds(), value.getNano());
  }

  /** A field with a date, as days since 1970-01-01. */
  public void date(int number, LocalDate value) {
    sint(number, value.toEpochDay());
  }

  /** A field with a date and a time: days since 1970-01-01 (1), nanoseconds of the day (2). */
  public void dateTime(int number, LocalDateTime value) {
    int end = size();
    uint(2, value.toLocalTime().toNanoOfDay());
    sint(1, value.toLocalDate().toEpochDay());
    length(number, end);
  }

  /** A field with a nested record. */
  public <T> void message(int number, T value, RecordCodec<T> codec) {
    int end = size();
    codec.write(value, this);
    length(number, end);
  }

  private void secondsAndNanos(int number, long seconds, int nanos) {
    int end = size();
    if (nanos != 0) {
      uint(2, nanos);
    }
    if (seconds != 0) {
      uint(1, seconds);
    }
    length(number, end);
  }

  // ---- pieces of which fields are made

  /** An element of a packed field of booleans. */
  public void bool(boolean value) {
    int at = claim(1);
    buffer[at] = (byte) (value ? 1 : 0);
  }

  /** An element of a packed field of {@code sint64}. */
  public void sint(long value) {
    varint((value << 1) ^ (value >> 63));
  }

  /** An element of a packed field of {@code uint64}. */
  public void varint(long value) {
    if ((value & ~0x7fL) == 0) {
      int only = claim(1);
      buffer[only] = (byte) value;
      return;
    }
    int bytes = (70 - Long.numberOfLeadingZeros(value)) / 7;
    int at = claim(bytes);
    long rest = value;
    for (int i = 1; i < bytes; i++) {
      buffer[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    buffer[at] = (byte) rest;
  }

  /** An element of a packed field of floats. */
  public void float32(float value) {
    int at = claim(Integer.BYTES);
    INT.set(buffer, at, Float.floatToRawIntBits(value));
  }

  /** An element of a packed field of doubles. */
  public void float64(double value) {
    int at = claim(Long.BYTES);
    LONG.set(buffer, at, Double.doubleToRawLongBits(value));
  }

  /** Bytes as they are, such as fields that the writer does not know. */
  public void raw(byte[] value) {
    int at = claim(value.length);
    System.arraycopy(value, 0, buffer, at, value.length);
  }

  /**
   * Completes a length-delimited field {@code number}: its content is what was written after the
   * first {@code end} bytes.
   */
  public void length(int number, int end) {
    varint(size() - end);
    tag(number, WireType.LENGTH);
  }

  private void tag(int number, int type) {
    varint(((long) number << 3) | type);
  }

  /**
   * Reserves {@code bytes} in front of the written ones and returns their index. It may replace the
   * buffer: do not call it in an expression that has already read {@link #buffer}.
   */
  private int claim(int bytes) {
    if (start < bytes) {
      grow(bytes);
    }
    start -= bytes;
    return start;
  }

  private void grow(int bytes) {
    int size = size();
    byte[] larger = new byte[Math.max(buffer.length * 2, Math.addExact(size, bytes) * 2)];
    System.arraycopy(buffer, start, larger, larger.length - size, size);
    buffer = larger;
    start = larger.length - size;
  }
}
