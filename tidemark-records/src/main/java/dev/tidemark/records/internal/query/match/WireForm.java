package dev.tidemark.records.internal.query.match;

import dev.tidemark.records.codec.RecordReader;
import dev.tidemark.records.internal.format.DynamicCodec;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.query.condition.ElementOrder;
import dev.tidemark.records.schema.FieldType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.UUID;

/** The form in which values from the bytes of a record are compared. */
enum WireForm {
  /** A number with the order of the values. */
  NUMBER,
  /** The bytes in the record, which have the order of the values. */
  SLICE,
  /** An element of a key. */
  ELEMENT;

  static WireForm of(FieldType type) {
    return switch (type) {
      case FieldType.Scalar scalar ->
          switch (scalar) {
            case BOOLEAN, BYTE, SHORT, INT, LONG, CHAR, FLOAT, DOUBLE, DATE -> NUMBER;
            case STRING, BYTES, UUID -> SLICE;
            case BIG_INTEGER, DECIMAL, INSTANT, DATE_TIME, DURATION -> ELEMENT;
          };
      case FieldType.Constants constants -> NUMBER;
      case FieldType.Nested other -> throw notOneValue(other);
      case FieldType.ListOf other -> throw notOneValue(other);
      case FieldType.SetOf other -> throw notOneValue(other);
      case FieldType.MapOf other -> throw notOneValue(other);
    };
  }

  private static IllegalArgumentException notOneValue(FieldType type) {
    return new IllegalArgumentException(type + " is not one value");
  }

  /** Reads the value at the position of {@code in} into {@code slot}. */
  void read(FieldType type, RecordReader in, byte[] bytes, WireRow row, int slot) {
    switch (this) {
      case NUMBER -> row.number(slot, number(type, in));
      case SLICE -> {
        int outer = in.enter();
        int start = in.position();
        in.leave(outer);
        row.slice(slot, bytes, start, in.position());
      }
      case ELEMENT ->
          row.object(
              slot,
              Objects.requireNonNull(
                  KeyElements.element(type, DynamicCodec.read(in, (FieldType.Scalar) type))));
    }
  }

  private static long number(FieldType type, RecordReader in) {
    if (!(type instanceof FieldType.Scalar scalar)) {
      return in.varint();
    }
    return switch (scalar) {
      case BYTE, SHORT, INT, LONG, DATE -> in.sint();
      case BOOLEAN -> in.bool() ? 1 : 0;
      case CHAR -> in.varint();
      case FLOAT -> ElementOrder.sortable(in.float32());
      case DOUBLE -> ElementOrder.sortable(in.float64());
      case STRING, BYTES, UUID, BIG_INTEGER, DECIMAL, INSTANT, DATE_TIME, DURATION ->
          throw notOneValue(type);
    };
  }

  /** Puts {@code element} of a key into {@code slot}, as if it had been read. */
  void put(Object element, WireRow row, int slot) {
    switch (this) {
      case NUMBER -> row.number(slot, number(element));
      case SLICE -> {
        byte[] bytes = bytes(element);
        row.slice(slot, bytes, 0, bytes.length);
      }
      case ELEMENT -> row.object(slot, element);
    }
  }

  /** The number that {@code element} of a key is compared as. */
  static long number(Object element) {
    if (element instanceof Double value) {
      return ElementOrder.sortable(value);
    }
    if (element instanceof Float value) {
      return ElementOrder.sortable(value);
    }
    return element instanceof Boolean bool ? (bool ? 1 : 0) : ((Number) element).longValue();
  }

  /** The bytes that {@code element} of a key is compared as. */
  static byte[] bytes(Object element) {
    if (element instanceof String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    if (element instanceof UUID id) {
      return ByteBuffer.allocate(2 * Long.BYTES)
          .putLong(id.getMostSignificantBits())
          .putLong(id.getLeastSignificantBits())
          .array();
    }
    return (byte[]) element;
  }
}
