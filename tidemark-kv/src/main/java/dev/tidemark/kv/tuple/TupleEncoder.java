package dev.tidemark.kv.tuple;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.internal.TupleCode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Packs elements one after the other into a buffer that grows. */
final class TupleEncoder {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final int FIRST_CAPACITY = 64;
  private static final int BIG_BYTES_MAX = 255;

  private byte[] buffer;
  private int size;
  private int position;
  private int depth;
  private int incompleteAt = TupleCode.NO_STAMP;

  TupleEncoder() {
    buffer = new byte[FIRST_CAPACITY];
  }

  /** An encoder whose bytes begin with {@code prefix}. */
  TupleEncoder(Key prefix) {
    byte[] bytes = prefix.unsafeBytes();
    buffer = Arrays.copyOf(bytes, bytes.length + FIRST_CAPACITY);
    size = bytes.length;
  }

  int size() {
    return size;
  }

  /** How many tuples inside tuples there are. */
  int depth() {
    return depth;
  }

  /**
   * Where the incomplete versionstamp is, or one of the two special values of {@link TupleCode}.
   */
  int incompleteAt() {
    return incompleteAt;
  }

  byte[] toByteArray() {
    return Arrays.copyOf(buffer, size);
  }

  /** Packs {@code elements}; a tuple among them gives its elements instead of itself. */
  void flat(@Nullable Object[] elements) {
    for (Object element : elements) {
      if (element instanceof Tuple tuple) {
        tuple.writeFlat(this);
      } else if (element instanceof List<?>) {
        throw new IllegalArgumentException(
            "Element %d is a list, which would be nested in the key. Give its elements one by one, or"
                    .formatted(position)
                + " nest it explicitly with Tuple.of(list)");
      } else {
        element(element);
      }
    }
  }

  /** Packs one element; a tuple or a list is nested. */
  void element(@Nullable Object element) {
    element(element, 0);
    position++;
  }

  // Plain instanceof in the order of likelihood: a pattern switch costs more here than packing
  // does.
  private void element(@Nullable Object element, int level) {
    if (element instanceof String text) {
      string(text);
    } else if (element instanceof Long number) {
      integer(number);
    } else if (element instanceof Integer number) {
      integer(number);
    } else if (element instanceof byte[] bytes) {
      bytes(bytes);
    } else if (element == null) {
      nothing(level);
    } else if (element instanceof Tuple tuple) {
      nested(tuple, level + 1);
    } else {
      rareElement(element, level);
    }
  }

  private void rareElement(Object element, int level) {
    switch (element) {
      case Boolean flag -> put(flag ? TupleCode.TRUE : TupleCode.FALSE);
      case UUID uuid -> uuid(uuid);
      case Double number -> real(number);
      case Float number -> real(number);
      case Versionstamp stamp -> versionstamp(stamp);
      case BigInteger number -> integer(number);
      case Short number -> integer(number);
      case Byte number -> integer(number);
      case List<?> list -> nested(list, level + 1);
      default -> throw unsupported(element, level);
    }
  }

  private IllegalArgumentException unsupported(Object element, int level) {
    return new IllegalArgumentException(
        ("%s %d of a tuple is a %s. A tuple takes null, byte[], String, Tuple, List, byte, short, int,"
                + " long, BigInteger, float, double, boolean, UUID and Versionstamp")
            .formatted(
                level == 0 ? "Element" : "A part of element",
                position,
                element.getClass().getTypeName()));
  }

  private void nothing(int level) {
    put(TupleCode.NULL);
    if (level > 0) {
      put(TupleCode.ESCAPE);
    }
  }

  private void bytes(byte[] bytes) {
    put(TupleCode.BYTES);
    reserve(bytes.length + 1);
    int begin = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == 0) {
        copy(bytes, begin, i + 1);
        put(TupleCode.ESCAPE);
        begin = i + 1;
      }
    }
    copy(bytes, begin, bytes.length);
    put((byte) 0);
  }

  private void string(String text) {
    int length = text.length();
    reserve(length + 2);
    byte[] out = buffer;
    int at = size;
    out[at++] = TupleCode.STRING;
    int i = 0;
    // One comparison for both: above 7f more bytes are needed, and 0 becomes the greatest char.
    for (char c; i < length && (char) ((c = text.charAt(i)) - 1) < 0x7f; i++) {
      out[at++] = (byte) c;
    }
    size = at;
    if (i < length) {
      stringFrom(text, i);
    }
    put((byte) 0);
  }

  private void stringFrom(String text, int begin) {
    int length = text.length();
    reserve(Math.multiplyExact(length - begin, 3));
    for (int i = begin; i < length; i++) {
      char c = text.charAt(i);
      if (c == 0) {
        put((byte) 0);
        put(TupleCode.ESCAPE);
      } else if (c < 0x80) {
        put((byte) c);
      } else if (c < 0x800) {
        put((byte) (0xc0 | (c >>> 6)));
        put((byte) (0x80 | (c & 0x3f)));
      } else if (!Character.isSurrogate(c)) {
        put((byte) (0xe0 | (c >>> 12)));
        put((byte) (0x80 | ((c >>> 6) & 0x3f)));
        put((byte) (0x80 | (c & 0x3f)));
      } else {
        supplementary(text, i++);
      }
    }
  }

  private void supplementary(String text, int i) {
    int point = text.codePointAt(i);
    if (point <= Character.MAX_VALUE) {
      throw new IllegalArgumentException(
          ("The string at element %d of a tuple has half a surrogate pair at index %d, which has no"
                  + " UTF-8 form. Pack such text as a byte string")
              .formatted(position, i));
    }
    put((byte) (0xf0 | (point >>> 18)));
    put((byte) (0x80 | ((point >>> 12) & 0x3f)));
    put((byte) (0x80 | ((point >>> 6) & 0x3f)));
    put((byte) (0x80 | (point & 0x3f)));
  }

  private void integer(long number) {
    reserve(9);
    if (number >= 0) {
      int length = significantBytes(number);
      buffer[size] = (byte) (TupleCode.ZERO + length);
      // A shift by 64 is one by 0 in Java; for a number without bytes both give 0.
      LONG.set(buffer, size + 1, number << (64 - 8 * length));
      size += 1 + length;
    } else {
      int length = significantBytes(-number);
      buffer[size] = (byte) (TupleCode.ZERO - length);
      LONG.set(buffer, size + 1, (number - 1) << (64 - 8 * length));
      size += 1 + length;
    }
  }

  private static int significantBytes(long magnitude) {
    return (71 - Long.numberOfLeadingZeros(magnitude)) >>> 3;
  }

  private void integer(BigInteger number) {
    if (number.bitLength() < 64) {
      integer(number.longValue());
      return;
    }
    boolean negative = number.signum() < 0;
    int length = (number.abs().bitLength() + 7) >>> 3;
    if (length > BIG_BYTES_MAX) {
      throw new IllegalArgumentException(
          "The integer at element %d of a tuple has %,d bytes; the limit is %d. Pack it as a byte string"
              .formatted(position, length, BIG_BYTES_MAX));
    }
    if (length <= 8) {
      put((byte) (negative ? TupleCode.ZERO - 8 : TupleCode.ZERO + 8));
    } else {
      put(negative ? TupleCode.NEGATIVE_BIG : TupleCode.POSITIVE_BIG);
      put((byte) (negative ? ~length : length));
    }
    // Negative numbers are stored as one's complement, two's complement less one.
    byte[] digits = (negative ? number.subtract(BigInteger.ONE) : number).toByteArray();
    copy(digits, digits.length - length, digits.length);
  }

  private void real(float number) {
    int bits = Float.floatToRawIntBits(number);
    put(TupleCode.FLOAT);
    reserve(4);
    INT.set(buffer, size, bits < 0 ? ~bits : bits ^ Integer.MIN_VALUE);
    size += 4;
  }

  private void real(double number) {
    long bits = Double.doubleToRawLongBits(number);
    put(TupleCode.DOUBLE);
    put(bits < 0 ? ~bits : bits ^ Long.MIN_VALUE);
  }

  private void uuid(UUID uuid) {
    put(TupleCode.UUID);
    put(uuid.getMostSignificantBits());
    put(uuid.getLeastSignificantBits());
  }

  private void versionstamp(Versionstamp stamp) {
    put(TupleCode.VERSIONSTAMP);
    if (!stamp.isComplete()) {
      incompleteAt(size);
    }
    copy(stamp.toByteArray(), 0, Versionstamp.BYTES);
  }

  private void nested(Tuple tuple, int level) {
    deepen(level + tuple.depth());
    put(TupleCode.NESTED);
    tuple.writeNested(this);
    put((byte) 0);
  }

  private void nested(List<?> list, int level) {
    deepen(level);
    put(TupleCode.NESTED);
    for (Object element : list) {
      element(element, level);
    }
    put((byte) 0);
  }

  private void deepen(int level) {
    if (level > TupleCode.MAX_DEPTH) {
      throw new IllegalArgumentException(
          "Element %d of a tuple has more than %,d tuples inside each other, which is the limit"
              .formatted(position, TupleCode.MAX_DEPTH));
    }
    depth = Math.max(depth, level);
  }

  /** Notes that an incomplete versionstamp begins at {@code at}. */
  void incompleteAt(int at) {
    incompleteAt = incompleteAt == TupleCode.NO_STAMP ? at : TupleCode.MANY_STAMPS;
  }

  /** Notes that elements copied to here had tuples {@code level} deep. */
  void atLeastAsDeepAs(int level) {
    depth = Math.max(depth, level);
  }

  /** Adds a null inside a tuple. */
  void nestedNull() {
    nothing(1);
  }

  /** Adds the bytes of {@code source} from {@code begin} to {@code end} as they are. */
  void copy(byte[] source, int begin, int end) {
    reserve(end - begin);
    System.arraycopy(source, begin, buffer, size, end - begin);
    size += end - begin;
  }

  private void put(byte value) {
    reserve(1);
    buffer[size++] = value;
  }

  private void put(long value) {
    reserve(8);
    LONG.set(buffer, size, value);
    size += 8;
  }

  private void reserve(int bytes) {
    if (buffer.length - size < bytes) {
      buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, Math.addExact(size, bytes)));
    }
  }
}
