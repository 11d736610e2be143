package dev.tidemark.records.internal.keys;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.format.DynamicValues;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.TypeSpec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Converts values of fields to elements of keys in the same order, and back. */
public final class KeyElements {
  /** Between the codes of the smallest numbers in tuples and of what comes before numbers. */
  private static final byte BEFORE_NUMBERS = 0x0a;

  /** Between the codes of the largest numbers in tuples and of what comes behind numbers. */
  private static final byte BEHIND_NUMBERS = 0x1e;

  private static final BigInteger NANOS = BigInteger.valueOf(1_000_000_000);

  private KeyElements() {}

  /**
   * Converts {@code value}, of {@code type}, to an element of a key.
   *
   * @throws ClassCastException if the value is not of the type
   */
  public static @Nullable Object element(FieldType type, @Nullable Object value) {
    if (value == null) {
      return null;
    }
    return switch (type) {
      case FieldType.Scalar scalar -> scalar(scalar, value);
      case FieldType.Constants constants -> constant(constants, value);
      case FieldType.Nested nested -> throw notAKey(nested.name());
      case FieldType.ListOf list -> throw notAKey("a list");
      case FieldType.SetOf set -> throw notAKey("a set");
      case FieldType.MapOf map -> throw notAKey("a map");
    };
  }

  /**
   * Converts {@code value}, which a caller gave for {@code field} of {@code owner}, to an element
   * of a key. Whole numbers may be of any Java type.
   *
   * @throws IllegalArgumentException if it is of another type
   */
  public static @Nullable Object given(TypeSpec owner, FieldSpec field, Object value) {
    return given(owner.name() + "." + field.name(), field.type(), value);
  }

  /** Converts a value whose messages call it {@code name}. */
  public static @Nullable Object given(String name, FieldType type, Object value) {
    boolean whole =
        value instanceof Long
            || value instanceof Integer
            || value instanceof Short
            || value instanceof Byte;
    if (type instanceof FieldType.Scalar scalar && scalar.isWholeNumber() && whole) {
      return ((Number) value).longValue();
    }
    return element(
        type, isConstantOf(type, value) ? value : DynamicValues.checked(name, type, value));
  }

  /** A constant of another enum would stand for whatever has its place in this one. */
  @SuppressWarnings("EnumOrdinal") // a schema refuses constants in another order than stored
  private static boolean isConstantOf(FieldType type, Object value) {
    return type instanceof FieldType.Constants constants
        && value instanceof Enum<?> constant
        && constants.constants().indexOf(constant.name()) == constant.ordinal();
  }

  private static Object scalar(FieldType.Scalar type, Object value) {
    return switch (type) {
      case BOOLEAN -> (Boolean) value;
      case FLOAT -> (Float) value;
      case DOUBLE -> (Double) value;
      case STRING -> (String) value;
      case BYTES -> (byte[]) value;
      case UUID -> (UUID) value;
      case BIG_INTEGER -> value instanceof BigInteger ? value : integral(value);
      case BYTE, SHORT, INT, LONG -> value instanceof Long ? value : integral(value);
      case CHAR -> (long) (Character) value;
      case DECIMAL -> DecimalOrder.encode((BigDecimal) value);
      case INSTANT -> instant((Instant) value);
      case DATE -> ((LocalDate) value).toEpochDay();
      case DATE_TIME -> instant(((LocalDateTime) value).toInstant(ZoneOffset.UTC));
      case DURATION -> {
        Duration time = (Duration) value;
        yield nanos(time.toSeconds(), time.toNanosPart());
      }
    };
  }

  private static long integral(Object value) {
    if (value instanceof Long || value instanceof Integer) {
      return ((Number) value).longValue();
    }
    return value instanceof Short number ? number : (Byte) value;
  }

  private static Number instant(Instant value) {
    return nanos(value.getEpochSecond(), value.getNano());
  }

  @SuppressWarnings("EnumOrdinal") // a schema refuses constants in another order than stored
  private static long constant(FieldType.Constants type, Object value) {
    if (value instanceof Enum<?> constant) {
      return constant.ordinal();
    }
    int place = type.constants().indexOf(String.valueOf(value));
    if (place < 0) {
      throw new IllegalArgumentException(
          "'%s' is no constant of %s, which has %s"
              .formatted(value, type.name(), type.constants()));
    }
    return place;
  }

  private static Number nanos(long seconds, int nanos) {
    long high = Math.multiplyHigh(seconds, 1_000_000_000L);
    long low = seconds * 1_000_000_000L;
    boolean fits = (high == 0 && low >= 0) || (high == -1 && low < 0);
    if (fits && low <= Long.MAX_VALUE - nanos) {
      return low + nanos;
    }
    return BigInteger.valueOf(seconds).multiply(NANOS).add(BigInteger.valueOf(nanos));
  }

  /**
   * Converts {@code element} of a key to a value of {@code type}; an enum to the name of its
   * constant. A decimal number comes without trailing zeros.
   */
  public static @Nullable Object value(FieldType type, @Nullable Object element) {
    if (element == null) {
      return null;
    }
    return switch (type) {
      case FieldType.Scalar scalar -> value(scalar, element);
      case FieldType.Constants constants ->
          constants.constants().get(((Number) element).intValue());
      case FieldType.Nested nested -> throw notAKey(nested.name());
      case FieldType.ListOf list -> throw notAKey("a list");
      case FieldType.SetOf set -> throw notAKey("a set");
      case FieldType.MapOf map -> throw notAKey("a map");
    };
  }

  private static Object value(FieldType.Scalar type, Object element) {
    return switch (type) {
      case BOOLEAN, FLOAT, DOUBLE, STRING, BYTES, UUID, LONG -> element;
      case BYTE -> ((Number) element).byteValue();
      case SHORT -> ((Number) element).shortValue();
      case INT -> ((Number) element).intValue();
      case CHAR -> (char) ((Number) element).intValue();
      case BIG_INTEGER -> whole(element);
      case DECIMAL -> DecimalOrder.decode((byte[]) element);
      case INSTANT -> {
        BigInteger[] parts = split(element);
        yield Instant.ofEpochSecond(parts[0].longValueExact(), parts[1].longValueExact());
      }
      case DATE -> LocalDate.ofEpochDay(((Number) element).longValue());
      case DATE_TIME -> {
        BigInteger[] parts = split(element);
        long seconds = parts[0].longValueExact();
        yield LocalDateTime.of(
            LocalDate.ofEpochDay(Math.floorDiv(seconds, 86_400)),
            LocalTime.ofNanoOfDay(
                Math.floorMod(seconds, 86_400L) * 1_000_000_000L + parts[1].longValueExact()));
      }
      case DURATION -> {
        BigInteger[] parts = split(element);
        yield Duration.ofSeconds(parts[0].longValueExact(), parts[1].longValueExact());
      }
    };
  }

  private static BigInteger whole(Object element) {
    return element instanceof BigInteger big
        ? big
        : BigInteger.valueOf(((Number) element).longValue());
  }

  /** Splits nanoseconds into seconds and a non-negative rest. */
  private static BigInteger[] split(Object element) {
    BigInteger[] parts = whole(element).divideAndRemainder(NANOS);
    return parts[1].signum() < 0
        ? new BigInteger[] {parts[0].subtract(BigInteger.ONE), parts[1].add(NANOS)}
        : parts;
  }

  /** The largest number of bytes of a whole number in a key. */
  public static final int NUMBER_BYTES_MAX = 255;

  private static final BigInteger LARGEST =
      BigInteger.ONE.shiftLeft(NUMBER_BYTES_MAX * Byte.SIZE).subtract(BigInteger.ONE);

  /** Whether {@code element} is a whole number that no key can hold. */
  public static boolean isHuge(@Nullable Object element) {
    return element instanceof BigInteger number && bytes(number) > NUMBER_BYTES_MAX;
  }

  private static int bytes(BigInteger number) {
    return (number.abs().bitLength() + 7) / 8;
  }

  /**
   * A tuple that is equal for equal rows of elements, even where a number is too large for a key;
   * not in their order. {@link #number} restores the number.
   */
  public static Tuple alike(@Nullable Object... elements) {
    @Nullable Object[] all = new @Nullable Object[elements.length];
    for (int i = 0; i < all.length; i++) {
      all[i] =
          elements[i] instanceof BigInteger number && isHuge(number)
              ? number.toByteArray()
              : elements[i];
    }
    return Tuple.of(all);
  }

  /** Restores the element of {@code type} from an element of {@link #alike}. */
  public static @Nullable Object number(FieldType type, @Nullable Object element) {
    return type == FieldType.Scalar.BIG_INTEGER && element instanceof byte[] bytes
        ? new BigInteger(bytes)
        : element;
  }

  /** {@code element}, or the nearest number that a key can hold. */
  public static @Nullable Object clamped(@Nullable Object element) {
    return element instanceof BigInteger number && isHuge(number)
        ? LARGEST.multiply(BigInteger.valueOf(number.signum()))
        : element;
  }

  /**
   * The bytes of a number that no key can hold, in the order of numbers: before or after all
   * numbers of keys, by length and then by bytes, inverted for negative numbers.
   */
  public static byte[] hugeInOrder(BigInteger number) {
    byte[] magnitude = number.abs().toByteArray();
    byte[] ordered =
        ByteBuffer.allocate(1 + Integer.BYTES + magnitude.length)
            .put(BEHIND_NUMBERS)
            .putInt(magnitude.length)
            .put(magnitude)
            .array();
    if (number.signum() < 0) {
      ordered = inverted(ordered);
      ordered[0] = BEFORE_NUMBERS;
    }
    return ordered;
  }

  /**
   * The inverted form of {@code element} for a descending column: its packed bytes and a
   * terminating zero, all inverted. Without the terminator a text that begins another would sort
   * before it.
   */
  public static byte[] descending(@Nullable Object element) {
    byte[] packed =
        element instanceof BigInteger number && isHuge(number)
            ? hugeInOrder(number)
            : Tuple.of(element).pack();
    return inverted(Arrays.copyOf(packed, packed.length + 1));
  }

  /** Restores the element from its inverted form. */
  public static @Nullable Object ascending(byte[] inverted) {
    return Tuple.unpack(inverted(Arrays.copyOf(inverted, inverted.length - 1))).get(0);
  }

  /** {@code bytes} with all bits inverted. */
  public static byte[] inverted(byte[] bytes) {
    byte[] inverted = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      inverted[i] = (byte) ~bytes[i];
    }
    return inverted;
  }

  /** Values as messages show them, in double quotes. */
  public static String quoted(List<?> values) {
    StringBuilder text = new StringBuilder("[");
    for (Object value : values) {
      text.append(text.length() == 1 ? "" : ", ").append('"').append(value).append('"');
    }
    return text.append(']').toString();
  }

  private static IllegalArgumentException notAKey(String what) {
    return new IllegalArgumentException(
        what + " cannot be part of a key; take one of its fields or its elements");
  }
}
