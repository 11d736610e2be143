package dev.tidemark.loader;

import dev.tidemark.records.changes.ChangeColumn;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.TypeSpec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How records of one type lie in a table. Names are those of the type and its fields in lower case
 * with underscores; the primary key is the key; every other column may be null, so that fields can
 * be added later. A field that the store's schema gets while a {@link TableSync} runs becomes a
 * column by the same rules; one that gets another name stays in its column, or left out.
 */
public final class RecordTable {
  private static final int SCALE = 9;

  private final String type;
  private final String name;
  private final List<Field> fields;

  /** What changes call the fields that are left out, by their numbers. */
  private final Map<Integer, String> leftOut;

  /**
   * A field with a column.
   *
   * @param name the column is called after it
   * @param called what changes call it, which is another name once it was renamed
   */
  private record Field(int number, String name, String called, FieldType type, boolean key) {
    static Field of(int number, String name, FieldType type, boolean key) {
      return new Field(number, name, name, type, key);
    }

    Field called(String other) {
      return new Field(number, name, other, type, key);
    }
  }

  private RecordTable(String type, String name, List<Field> fields, Map<Integer, String> leftOut) {
    this.type = type;
    this.name = name;
    this.fields = fields;
    this.leftOut = leftOut;
  }

  /** All fields of {@code type} in a table of the type's name. */
  public static RecordTable of(TypeSpec type) {
    List<Field> fields =
        type.fields().stream()
            .map(
                field ->
                    Field.of(
                        field.number(),
                        field.name(),
                        field.type(),
                        type.primaryKey().contains(field.number())))
            .toList();
    return new RecordTable(type.name(), plain(type.name()), fields, Map.of());
  }

  /** This table with another name. */
  public RecordTable withName(String other) {
    return new RecordTable(type, other, fields, leftOut);
  }

  /**
   * This table without a field.
   *
   * @throws IllegalArgumentException if the type has no such field
   */
  public RecordTable without(String field) {
    List<Field> rest = new ArrayList<>(fields);
    Map<Integer, String> more = new HashMap<>(leftOut);
    for (Field each : fields) {
      if (each.name().equals(field)) {
        rest.remove(each);
        more.put(each.number(), each.called());
      }
    }
    if (rest.size() == fields.size()) {
      throw new IllegalArgumentException(
          "%s has no field '%s' that could be left out; it has %s"
              .formatted(type, field, fields.stream().map(Field::name).toList()));
    }
    return new RecordTable(type, name, List.copyOf(rest), Map.copyOf(more));
  }

  /** This table with those of {@code columns} that it lacks, and with the names that they have. */
  RecordTable with(List<ChangeColumn> columns) {
    Map<Integer, Field> all = new LinkedHashMap<>();
    fields.forEach(field -> all.put(field.number(), field));
    Map<Integer, String> out = new HashMap<>(leftOut);
    for (ChangeColumn column : columns) {
      int number = column.number();
      if (out.containsKey(number)) {
        out.put(number, column.name());
      } else {
        Field known = all.get(number);
        all.put(
            number,
            known == null
                ? Field.of(number, column.name(), column.type(), column.primaryKey())
                : known.called(column.name()));
      }
    }
    return new RecordTable(type, name, List.copyOf(all.values()), Map.copyOf(out));
  }

  /** Whether this table, which was made of {@code before} by {@link #with}, has no column more. */
  boolean hasColumnsOf(RecordTable before) {
    return fields.size() == before.fields.size();
  }

  /** The names among {@code values} that are neither columns nor left out, in their order. */
  List<String> unknown(Map<String, @Nullable Object> values) {
    int found = 0;
    for (Field field : fields) {
      found += values.containsKey(field.called()) ? 1 : 0;
    }
    if (found == values.size()) {
      return List.of();
    }
    Set<String> known = new HashSet<>(leftOut.values());
    fields.forEach(field -> known.add(field.called()));
    return values.keySet().stream().filter(each -> !known.contains(each)).toList();
  }

  /** The name of the type. */
  public String typeName() {
    return type;
  }

  /**
   * The table.
   *
   * @throws IllegalArgumentException if a field has no column type, or is no key of a table
   */
  public Table table() {
    List<Table.Column> columns = new ArrayList<>();
    for (Field field : fields) {
      Table.Role role = field.key() ? Table.Role.KEY : Table.Role.OPTIONAL;
      columns.add(new Table.Column(plain(field.name()), columnType(field), role));
    }
    return Table.of(name, columns);
  }

  /**
   * The values of a record in the order of the columns; null for those that are not in the map.
   *
   * @throws IllegalArgumentException if a column cannot hold a value as it is
   */
  @Nullable Object[] row(Map<String, @Nullable Object> values) {
    @Nullable Object[] row = new @Nullable Object[fields.size()];
    for (int i = 0; i < row.length; i++) {
      Field field = fields.get(i);
      row[i] = converted(field, values.get(field.called()));
    }
    return row;
  }

  private ColumnType columnType(Field field) {
    return switch (field.type()) {
      case FieldType.Scalar scalar -> columnType(scalar);
      case FieldType.Constants constants -> ColumnType.TEXT;
      case FieldType.Nested nested -> throw noColumn(field);
      case FieldType.ListOf list -> throw noColumn(field);
      case FieldType.SetOf set -> throw noColumn(field);
      case FieldType.MapOf map -> throw noColumn(field);
    };
  }

  private static ColumnType columnType(FieldType.Scalar scalar) {
    return switch (scalar) {
      case BOOLEAN -> ColumnType.BOOLEAN;
      case BYTE, SHORT, INT, LONG -> ColumnType.INTEGER;
      case FLOAT, DOUBLE -> ColumnType.DOUBLE;
      case STRING, CHAR, UUID, DATE_TIME, DURATION -> ColumnType.TEXT;
      case BYTES -> ColumnType.BYTES;
      case BIG_INTEGER, DECIMAL -> ColumnType.DECIMAL;
      case INSTANT -> ColumnType.TIMESTAMP;
      case DATE -> ColumnType.DATE;
    };
  }

  private IllegalArgumentException noColumn(Field field) {
    return new IllegalArgumentException(
        "Field '%s' of %s is %s, which has no column type; leave it out with RecordTable.without(\"%s\")"
            .formatted(field.name(), type, field.type(), field.name()));
  }

  private static @Nullable Object converted(Field field, @Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Byte number -> number.longValue();
      case Short number -> number.longValue();
      case Integer number -> number.longValue();
      case Float number -> number.doubleValue();
      case BigInteger number -> new BigDecimal(number).setScale(SCALE);
      case BigDecimal number -> exact(field, number);
      case Character letter -> whole(field, letter);
      case Instant moment when field.key() -> ofMicroseconds(field, moment);
      case java.util.UUID id -> id.toString();
      case java.time.LocalDateTime time -> time.toString();
      case java.time.Duration time -> time.toString();
      default -> value;
    };
  }

  private static BigDecimal exact(Field field, BigDecimal number) {
    try {
      return number.setScale(SCALE, RoundingMode.UNNECESSARY);
    } catch (ArithmeticException inexact) {
      throw new IllegalArgumentException(
          "field '%s' is %s, and a column keeps %d digits behind the point"
              .formatted(field.name(), number, SCALE),
          inexact);
    }
  }

  private static String whole(Field field, char letter) {
    if (Character.isSurrogate(letter)) {
      throw new IllegalArgumentException(
          "field '%s' is the char U+%04X, which is half of a letter and no text"
              .formatted(field.name(), (int) letter));
    }
    return String.valueOf(letter);
  }

  /** Tables keep microseconds: two records whose keys differ by less would be one row. */
  private static Instant ofMicroseconds(Field field, Instant moment) {
    if (!Message.toMicros(moment).equals(moment)) {
      throw new IllegalArgumentException(
          "field '%s' of the key is %s, and a table keeps whole microseconds, in which two records could become one row; save keys that are cut to microseconds"
              .formatted(field.name(), moment));
    }
    return moment;
  }

  private static String plain(String name) {
    return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
  }
}
