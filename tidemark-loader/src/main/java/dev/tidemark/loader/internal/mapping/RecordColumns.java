package dev.tidemark.loader.internal.mapping;

import dev.tidemark.loader.ColumnType;
import dev.tidemark.loader.Table;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The components of a record class as columns. */
public final class RecordColumns<R extends Record> {
  private static final Map<Class<?>, ColumnType> TYPES =
      Map.ofEntries(
          Map.entry(String.class, ColumnType.TEXT),
          Map.entry(long.class, ColumnType.INTEGER),
          Map.entry(Long.class, ColumnType.INTEGER),
          Map.entry(int.class, ColumnType.INTEGER),
          Map.entry(Integer.class, ColumnType.INTEGER),
          Map.entry(double.class, ColumnType.DOUBLE),
          Map.entry(Double.class, ColumnType.DOUBLE),
          Map.entry(boolean.class, ColumnType.BOOLEAN),
          Map.entry(Boolean.class, ColumnType.BOOLEAN),
          Map.entry(BigDecimal.class, ColumnType.DECIMAL),
          Map.entry(Instant.class, ColumnType.TIMESTAMP),
          Map.entry(LocalDate.class, ColumnType.DATE),
          Map.entry(byte[].class, ColumnType.BYTES));

  private final List<Table.Column> columns;
  private final List<Method> accessors;

  private RecordColumns(List<Table.Column> columns, List<Method> accessors) {
    this.columns = columns;
    this.accessors = accessors;
  }

  /**
   * The columns of {@code type}.
   *
   * @throws IllegalArgumentException if a component has no column type, or a key is no column
   */
  public static <R extends Record> RecordColumns<R> of(Class<R> type, List<String> keys) {
    List<Table.Column> columns = new ArrayList<>();
    List<Method> accessors = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      columns.add(column(type, component, keys));
      Method accessor = component.getAccessor();
      accessor.setAccessible(true);
      accessors.add(accessor);
    }
    List<String> names = columns.stream().map(Table.Column::name).toList();
    if (!names.containsAll(keys)) {
      throw new IllegalArgumentException(
          "The keys are %s; %s has the columns %s".formatted(keys, type.getSimpleName(), names));
    }
    return new RecordColumns<>(columns, accessors);
  }

  private static Table.Column column(Class<?> type, RecordComponent component, List<String> keys) {
    ColumnType columnType = TYPES.get(component.getType());
    if (columnType == null) {
      throw new IllegalArgumentException(
          "Component '%s' of %s is of %s, which has no column type"
              .formatted(
                  component.getName(), type.getSimpleName(), component.getType().getSimpleName()));
    }
    String name =
        component.getName().replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    Table.Role optional =
        component.getType().isPrimitive() ? Table.Role.REQUIRED : Table.Role.OPTIONAL;
    return new Table.Column(name, columnType, keys.contains(name) ? Table.Role.KEY : optional);
  }

  /** The columns. */
  public List<Table.Column> columns() {
    return columns;
  }

  /** The value of a column of {@code record}. */
  public @Nullable Object value(R record, int column) {
    try {
      Object value = accessors.get(column).invoke(record);
      return value instanceof Integer number ? (Object) number.longValue() : value;
    } catch (ReflectiveOperationException failure) {
      throw new IllegalArgumentException(
          "Component '%s' cannot be read".formatted(columns.get(column).name()), failure);
    }
  }
}
