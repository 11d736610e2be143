package dev.tidemark.records.internal.format;

import dev.tidemark.records.DamagedRecordException;
import dev.tidemark.records.DynamicRecord;
import dev.tidemark.records.codec.RecordCodec;
import dev.tidemark.records.codec.RecordReader;
import dev.tidemark.records.codec.RecordWriter;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The codec of records whose type is known only at run time. It writes the same bytes as generated
 * codecs.
 */
public final class DynamicCodec implements RecordCodec<DynamicRecord> {
  private final String type;
  private final List<FieldSpec> fields;
  private final Map<Integer, FieldSpec> byNumber = new TreeMap<>(Comparator.reverseOrder());

  /** The values of fields that a record lacks. */
  private final Map<Integer, Object> absent = new TreeMap<>();

  /** Creates the codec of records with {@code fields}. */
  public DynamicCodec(String type, List<FieldSpec> fields) {
    this.type = type;
    this.fields = List.copyOf(fields);
    for (FieldSpec field : fields) {
      byNumber.put(field.number(), field);
      field.absent().ifPresent(value -> absent.put(field.number(), value));
    }
  }

  @Override
  public void write(DynamicRecord record, RecordWriter out) {
    for (FieldSpec field : byNumber.values()) {
      Object value = record.value(field.number());
      if (value != null) {
        field(out, field.number(), field.type(), value);
      }
    }
  }

  private static void field(RecordWriter out, int number, FieldType type, Object value) {
    switch (type) {
      case FieldType.Scalar scalar -> scalar(out, number, scalar, value);
      case FieldType.Constants constants -> out.uint(number, indexOf(constants, value));
      case FieldType.Nested nested ->
          out.message(
              number, (DynamicRecord) value, new DynamicCodec(nested.name(), nested.fields()));
      case FieldType.ListOf list -> elements(out, number, list.element(), (Collection<?>) value);
      case FieldType.SetOf set -> elements(out, number, set.element(), (Collection<?>) value);
      case FieldType.MapOf map -> {
        List<Map.Entry<?, ?>> entries = new ArrayList<>(((Map<?, ?>) value).entrySet());
        for (Map.Entry<?, ?> entry : entries.reversed()) {
          int end = out.size();
          field(out, 2, map.value(), entry.getValue());
          field(out, 1, map.key(), entry.getKey());
          out.length(number, end);
        }
      }
    }
  }

  private static void elements(
      RecordWriter out, int number, FieldType element, Collection<?> values) {
    if (values.isEmpty()) {
      return;
    }
    List<Object> reversed = new ArrayList<Object>(values).reversed();
    if (!isPacked(element)) {
      reversed.forEach(value -> field(out, number, element, value));
      return;
    }
    int end = out.size();
    reversed.forEach(value -> packed(out, element, value));
    out.length(number, end);
  }

  /** Whether elements of {@code type} are packed into one length-delimited field. */
  public static boolean isPacked(FieldType type) {
    return switch (type) {
      case FieldType.Scalar scalar ->
          switch (scalar) {
            case BOOLEAN, BYTE, SHORT, INT, LONG, CHAR, FLOAT, DOUBLE, DATE -> true;
            case STRING, BYTES, UUID, BIG_INTEGER, DECIMAL, INSTANT, DATE_TIME, DURATION -> false;
          };
      case FieldType.Constants constants -> true;
      case FieldType.Nested nested -> false;
      case FieldType.ListOf list -> false;
      case FieldType.SetOf set -> false;
      case FieldType.MapOf map -> false;
    };
  }

  private static int indexOf(FieldType.Constants type, Object value) {
    int index = type.constants().indexOf((String) value);
    if (index < 0) {
      throw new IllegalArgumentException(
          "'%s' is not a constant of %s; it has %s"
              .formatted(value, type.name(), String.join(", ", type.constants())));
    }
    return index;
  }

  private static void packed(RecordWriter out, FieldType type, Object value) {
    if (type instanceof FieldType.Constants constants) {
      out.varint(indexOf(constants, value));
    } else if (value instanceof Boolean bool) {
      out.bool(bool);
    } else if (value instanceof Float number) {
      out.float32(number);
    } else if (value instanceof Double number) {
      out.float64(number);
    } else if (value instanceof Character character) {
      out.varint(character);
    } else if (value instanceof LocalDate date) {
      out.sint(date.toEpochDay());
    } else {
      out.sint(((Number) value).longValue());
    }
  }

  private static void scalar(RecordWriter out, int number, FieldType.Scalar type, Object value) {
    switch (type) {
      case BOOLEAN -> out.bool(number, (Boolean) value);
      case BYTE, SHORT, INT, LONG -> out.sint(number, ((Number) value).longValue());
      case CHAR -> out.uint(number, (Character) value);
      case FLOAT -> out.float32(number, (Float) value);
      case DOUBLE -> out.float64(number, (Double) value);
      case STRING -> out.string(number, (String) value);
      case BYTES -> out.bytes(number, (byte[]) value);
      case UUID -> out.uuid(number, (UUID) value);
      case BIG_INTEGER -> out.bigInteger(number, (BigInteger) value);
      case DECIMAL -> out.decimal(number, (BigDecimal) value);
      case INSTANT -> out.instant(number, (Instant) value);
      case DATE -> out.date(number, (LocalDate) value);
      case DATE_TIME -> out.dateTime(number, (LocalDateTime) value);
      case DURATION -> out.duration(number, (Duration) value);
    }
  }

  @Override
  public DynamicRecord read(RecordReader in) {
    Map<Integer, Object> values = new TreeMap<>(absent);
    for (int number = in.next(); number != 0; number = in.next()) {
      FieldSpec field = byNumber.get(number);
      if (field == null) {
        in.skip();
      } else {
        read(in, field, values);
      }
    }
    return DynamicRecord.of(type, fields, values);
  }

  @SuppressWarnings("unchecked") // collections are made below, with elements of their type
  private static void read(RecordReader in, FieldSpec field, Map<Integer, Object> values) {
    switch (field.type()) {
      case FieldType.ListOf list -> {
        Object into = values.computeIfAbsent(field.number(), key -> new ArrayList<>());
        readElements(in, list.element(), (Collection<Object>) into);
      }
      case FieldType.SetOf set -> {
        Object into = values.computeIfAbsent(field.number(), key -> new LinkedHashSet<>());
        readElements(in, set.element(), (Set<Object>) into);
      }
      case FieldType.MapOf map -> {
        Object into = values.computeIfAbsent(field.number(), key -> new LinkedHashMap<>());
        readEntry(in, map, (Map<Object, Object>) into);
      }
      case FieldType.Scalar scalar -> values.put(field.number(), read(in, scalar));
      case FieldType.Constants constants -> values.put(field.number(), read(in, constants));
      case FieldType.Nested nested -> values.put(field.number(), read(in, nested));
    }
  }

  private static void readElements(RecordReader in, FieldType element, Collection<Object> into) {
    if (!isPacked(element)) {
      into.add(read(in, element));
      return;
    }
    int end = in.packed();
    while (in.hasMore(end)) {
      into.add(read(in, element));
    }
  }

  private static void readEntry(RecordReader in, FieldType.MapOf map, Map<Object, Object> into) {
    int outer = in.enter();
    Object key = null;
    Object value = null;
    for (int number = in.next(); number != 0; number = in.next()) {
      switch (number) {
        case 1 -> key = read(in, map.key());
        case 2 -> value = read(in, map.value());
        default -> in.skip();
      }
    }
    in.leave(outer);
    into.put(
        key == null ? absentIn(map.key()) : key, value == null ? absentIn(map.value()) : value);
  }

  /** The key or value of a map entry that lacks it: the default of protobuf. */
  private static Object absentIn(FieldType type) {
    return switch (type) {
      case FieldType.Scalar scalar -> DynamicValues.zero(scalar);
      case FieldType.Constants constants -> constants.constants().getFirst();
      case FieldType.Nested nested ->
          new DynamicCodec(nested.name(), nested.fields()).read(new RecordReader(new byte[0]));
      case FieldType.ListOf list -> throw new AssertionError("a list in a collection");
      case FieldType.SetOf set -> throw new AssertionError("a set in a collection");
      case FieldType.MapOf map -> throw new AssertionError("a map in a collection");
    };
  }

  private static Object read(RecordReader in, FieldType type) {
    return switch (type) {
      case FieldType.Scalar scalar -> read(in, scalar);
      case FieldType.Constants constants -> {
        long place = in.varint();
        if (place < 0 || place >= constants.constants().size()) {
          throw new DamagedRecordException(
              "There is no constant %d of %s; a newer program may have written it"
                  .formatted(place, constants.name()));
        }
        yield constants.constants().get((int) place);
      }
      case FieldType.Nested nested -> in.message(new DynamicCodec(nested.name(), nested.fields()));
      case FieldType.ListOf list -> throw new AssertionError("a list in a collection");
      case FieldType.SetOf set -> throw new AssertionError("a set in a collection");
      case FieldType.MapOf map -> throw new AssertionError("a map in a collection");
    };
  }

  /** Reads the single value at the position of {@code in}. */
  public static Object read(RecordReader in, FieldType.Scalar type) {
    return switch (type) {
      case BOOLEAN -> in.bool();
      case BYTE -> (byte) in.sint();
      case SHORT -> (short) in.sint();
      case INT -> in.int32();
      case LONG -> in.sint();
      case CHAR -> (char) in.varint();
      case FLOAT -> in.float32();
      case DOUBLE -> in.float64();
      case STRING -> in.string();
      case BYTES -> in.bytes();
      case UUID -> in.uuid();
      case BIG_INTEGER -> in.bigInteger();
      case DECIMAL -> in.decimal();
      case INSTANT -> in.instant();
      case DATE -> in.date();
      case DATE_TIME -> in.dateTime();
      case DURATION -> in.duration();
    };
  }

  @Override
  public @Nullable Object get(DynamicRecord record, int number) {
    return record.value(number);
  }

  @Override
  public RecordCodec<?> nested(int number) {
    FieldSpec field = byNumber.get(number);
    FieldType inner =
        field == null
            ? null
            : switch (field.type()) {
              case FieldType.ListOf list -> list.element();
              case FieldType.SetOf set -> set.element();
              case FieldType.MapOf map -> map.value();
              case FieldType.Scalar scalar -> scalar;
              case FieldType.Constants constants -> constants;
              case FieldType.Nested nested -> nested;
            };
    return inner instanceof FieldType.Nested nested
        ? new DynamicCodec(nested.name(), nested.fields())
        : RecordCodec.super.nested(number);
  }

  @Override
  public DynamicRecord with(DynamicRecord record, int number, @Nullable Object value) {
    return record.with(number, value);
  }

  /** Fills in the values that a read returns for absent fields, so that indexes see the same. */
  @Override
  public DynamicRecord withDefaults(DynamicRecord record, Instant now) {
    DynamicRecord filled = record;
    for (FieldSpec field : fields) {
      Object value = record.value(field.number());
      Object full = value == null ? initial(field, now) : withDefaults(field.type(), value, now);
      if (!Objects.equals(full, value)) {
        filled = filled.with(field.number(), full);
      }
    }
    return filled;
  }

  private @Nullable Object initial(FieldSpec field, Instant now) {
    return field.defaultsToNow() ? now : absent.get(field.number());
  }

  private static Object withDefaults(FieldType type, Object value, Instant now) {
    return switch (type) {
      case FieldType.Scalar scalar -> value;
      case FieldType.Constants constants -> value;
      case FieldType.Nested nested ->
          new DynamicCodec(nested.name(), nested.fields()).withDefaults((DynamicRecord) value, now);
      case FieldType.ListOf list -> withDefaults(list.element(), (Collection<?>) value, now);
      case FieldType.SetOf set -> withDefaults(set.element(), (Collection<?>) value, now);
      case FieldType.MapOf map -> {
        if (!(map.value() instanceof FieldType.Nested)) {
          yield value;
        }
        Map<Object, Object> entries = new LinkedHashMap<>();
        ((Map<?, ?>) value)
            .forEach((key, held) -> entries.put(key, withDefaults(map.value(), held, now)));
        yield entries.equals(value) ? value : entries;
      }
    };
  }

  private static Collection<?> withDefaults(FieldType element, Collection<?> values, Instant now) {
    if (!(element instanceof FieldType.Nested)) {
      return values;
    }
    List<Object> filled = new ArrayList<>(values.size());
    values.forEach(value -> filled.add(withDefaults(element, value, now)));
    if (filled.equals(new ArrayList<Object>(values))) {
      return values;
    }
    return values instanceof Set ? new LinkedHashSet<>(filled) : filled;
  }
}
