package dev.tidemark.records.codec;

import dev.tidemark.records.DamagedRecordException;
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
import java.time.LocalTime;
import java.util.Arrays;
import java.util.UUID;

/**
 * Reads a record in protobuf's wire format.
 *
 * {@snippet :
 * for (int number = in.next(); number != 0; number = in.next()) {
 *   switch (number) {
 *     case 1 -> id = in.sint();
 *     case 2 -> name = in.string();
 *     default -> in.skip();
 *   }
 * }
 * }
 *
 * <p>For generated codecs. Used by one thread.
 */
public final class RecordReader {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle BIG_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final int VARINT_BYTES_MAX = 10;

  private final byte[] bytes;
  private int at;
  private int end;
  private int type;
  private boolean skipped;

  /** Reads {@code bytes}, which are not copied. */
  public RecordReader(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  /** Reads {@code length} of {@code bytes}, which are not copied. */
  public RecordReader(byte[] bytes, int offset, int length) {
    this.bytes = bytes;
    this.at = offset;
    this.end = offset + length;
  }

  /** Where the next byte to be read is. */
  public int position() {
    return at;
  }

  /** Advances to the next field and returns its number; 0 if there is none. */
  public int next() {
    if (at >= end) {
      return 0;
    }
    long tag = varint();
    type = (int) tag & 7;
    long number = tag >>> 3;
    if (number == 0 || number > WireType.FIELD_NUMBER_MAX) {
      throw damaged("field number " + number);
    }
    return (int) number;
  }

  /**
   * Advances to the next wanted field and skips the others.
   *
   * @param wanted a bit set of field numbers; fields from 64 on always count as wanted
   * @return its number; 0 if there is none
   */
  public int next(long wanted) {
    int number = next();
    while (number != 0 && number < Long.SIZE && (wanted & (1L << number)) == 0) {
      skip();
      number = next();
    }
    return number;
  }

  /** Skips the current field, which the reader does not know. */
  public void skip() {
    skipped = true;
    switch (type) {
      case WireType.VARINT -> skipVarint();
      case WireType.FIXED64 -> advance(Long.BYTES);
      case WireType.FIXED32 -> advance(Integer.BYTES);
      case WireType.LENGTH -> advance(length());
      default -> throw damaged("wire type " + type);
    }
  }

  private void skipVarint() {
    int last = at;
    while (last < end && bytes[last] < 0) {
      last++;
    }
    if (last == end || last - at >= VARINT_BYTES_MAX) {
      varint(); // says what is wrong
    }
    at = last + 1;
  }

  /** Whether a field was skipped, here or in a nested record. */
  public boolean skippedAny() {
    return skipped;
  }

  /** Whether a packed field, opened by {@link #packed}, has further elements. */
  public boolean hasMore(int packedEnd) {
    return at < packedEnd;
  }

  /**
   * The end of the elements of a repeated field, for {@link #hasMore}. For an element that is not
   * packed, the end lies within the element, so that only this one is read.
   */
  public int packed() {
    if (type != WireType.LENGTH) {
      return at + 1;
    }
    int length = length();
    if (length > end - at) {
      throw damaged("a length of " + length);
    }
    return at + length;
  }

  /** Whether the current field is length-delimited. */
  public boolean hasLength() {
    return type == WireType.LENGTH;
  }

  // ---- values

  /** A boolean. */
  public boolean bool() {
    return varint() != 0;
  }

  /** A {@code sint64}. */
  public long sint() {
    long value = varint();
    return (value >>> 1) ^ -(value & 1);
  }

  /** A {@code sint64} that fits an {@code int}. */
  public int int32() {
    return (int) sint();
  }

  /** A {@code uint64}. */
  public long varint() {
    if (at < end && bytes[at] >= 0) {
      return bytes[at++];
    }
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at >= end) {
        throw damaged("a number that does not end");
      }
      byte next = bytes[at++];
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw damaged("a number of more than ten bytes");
  }

  /** One of {@code constants}, by its place among them. */
  public <E extends Enum<E>> E constant(E[] constants) {
    long place = varint();
    if (place < 0 || place >= constants.length) {
      throw new DamagedRecordException(
          "A record holds constant %d of %s, which has %d; a newer program may have written it"
              .formatted(place, constants.getClass().componentType().getName(), constants.length));
    }
    return constants[(int) place];
  }

  /** A {@code float}. */
  public float float32() {
    return Float.intBitsToFloat((int) INT.get(bytes, advance(Integer.BYTES)));
  }

  /** A {@code double}. */
  public double float64() {
    return Double.longBitsToDouble((long) LONG.get(bytes, advance(Long.BYTES)));
  }

  /** A text. */
  public String string() {
    int length = length();
    return new String(bytes, advance(length), length, StandardCharsets.UTF_8);
  }

  /** Bytes, which are copied. */
  public byte[] bytes() {
    int length = length();
    int from = advance(length);
    return Arrays.copyOfRange(bytes, from, from + length);
  }

  /** A UUID. */
  public UUID uuid() {
    int length = length();
    int from = advance(length);
    if (length != 2 * Long.BYTES) {
      throw damaged("a UUID of " + length + " bytes");
    }
    return new UUID(
        (long) BIG_ENDIAN_LONG.get(bytes, from),
        (long) BIG_ENDIAN_LONG.get(bytes, from + Long.BYTES));
  }

  /** A whole number of any size. */
  public BigInteger bigInteger() {
    int length = length();
    int from = advance(length);
    return length == 0 ? BigInteger.ZERO : new BigInteger(bytes, from, length);
  }

  /** A decimal number. */
  public BigDecimal decimal() {
    int outer = enter();
    BigInteger unscaled = BigInteger.ZERO;
    int scale = 0;
    for (int number = next(); number != 0; number = next()) {
      switch (number) {
        case 1 -> unscaled = bigInteger();
        case 2 -> scale = int32();
        default -> skip();
      }
    }
    leave(outer);
    return new BigDecimal(unscaled, scale);
  }

  /** A moment. */
  public Instant instant() {
    long[] parts = secondsAndNanos();
    return Instant.ofEpochSecond(parts[0], parts[1]);
  }

  /** A duration. */
  public Duration duration() {
    long[] parts = secondsAndNanos();
    return Duration.ofSeconds(parts[0], parts[1]);
  }

  /** A date. */
  public LocalDate date() {
    return LocalDate.ofEpochDay(sint());
  }

  /** A date and a time. */
  public LocalDateTime dateTime() {
    int outer = enter();
    long day = 0;
    long nanos = 0;
    for (int number = next(); number != 0; number = next()) {
      switch (number) {
        case 1 -> day = sint();
        case 2 -> nanos = varint();
        default -> skip();
      }
    }
    leave(outer);
    return LocalDateTime.of(LocalDate.ofEpochDay(day), LocalTime.ofNanoOfDay(nanos));
  }

  /** A nested record. */
  public <T> T message(RecordCodec<T> codec) {
    int outer = enter();
    T value = codec.read(this);
    leave(outer);
    return value;
  }

  private long[] secondsAndNanos() {
    int outer = enter();
    long[] parts = new long[2];
    for (int number = next(); number != 0; number = next()) {
      switch (number) {
        case 1 -> parts[0] = varint();
        case 2 -> parts[1] = varint();
        default -> skip();
      }
    }
    leave(outer);
    return parts;
  }

  /**
   * Narrows the reader to the nested record that begins here; returns what {@link #leave} takes.
   */
  public int enter() {
    int length = length();
    if (length > end - at) {
      throw damaged("a length of " + length);
    }
    int outer = end;
    end = at + length;
    return outer;
  }

  /** Goes back to the record around the nested one. */
  public void leave(int outer) {
    at = end;
    end = outer;
  }

  private int length() {
    long length = varint();
    if (length < 0 || length > Integer.MAX_VALUE) {
      throw damaged("a length of " + length);
    }
    return (int) length;
  }

  private int advance(int length) {
    if (length > end - at) {
      throw damaged("a value of %,d bytes where %,d are left".formatted(length, end - at));
    }
    int from = at;
    at += length;
    return from;
  }

  private DamagedRecordException damaged(String what) {
    return new DamagedRecordException(
        "The bytes of a record are damaged: at byte %,d of %,d there is %s"
            .formatted(at, bytes.length, what));
  }
}
