package dev.tidemark.records.internal.keys;

import dev.tidemark.records.codec.RecordCodec;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the value of a column from a record, as an element of a key. */
public final class ColumnReader {
  private final ColumnSpec column;
  private final List<Level> levels;
  private final FieldType type;
  private final String name;

  /** One step of the path. */
  private record Level(RecordCodec<Object> codec, int field, ColumnSpec.Part part) {}

  private ColumnReader(ColumnSpec column, List<Level> levels, FieldType type, String name) {
    this.column = column;
    this.levels = List.copyOf(levels);
    this.type = type;
    this.name = name;
  }

  /** A reader of {@code column} in records of {@code type}. */
  public static ColumnReader of(RecordType<?> type, ColumnSpec column) {
    List<Level> levels = new ArrayList<>();
    RecordCodec<?> codec = type.codec();
    for (ColumnSpec.Step step : column.path()) {
      if (!levels.isEmpty()) {
        codec = codec.nested(levels.getLast().field());
      }
      levels.add(new Level(unchecked(codec), step.field(), step.part()));
    }
    return new ColumnReader(
        column, levels, column.typeIn(type.spec()), ColumnNames.of(type.spec(), column));
  }

  /** Records come from the store of the codec's type, so the cast cannot fail. */
  @SuppressWarnings("unchecked")
  private static RecordCodec<Object> unchecked(RecordCodec<?> codec) {
    return (RecordCodec<Object>) codec;
  }

  /** The type of the values. */
  public FieldType type() {
    return type;
  }

  /** The name of the column as programs write it. */
  public String name() {
    return name;
  }

  public boolean isDescending() {
    return column.descending();
  }

  boolean fansOut() {
    return column.fansOut();
  }

  /** The value of a column that does not fan out. */
  public @Nullable Object single(Object record) {
    Object value = record;
    for (Level level : levels) {
      value = value == null ? null : level.codec().get(value, level.field());
    }
    return element(value);
  }

  /**
   * The collection that the last step of a column fans out over: elements, keys or values as the
   * record has them. Null if a field of the path is null.
   */
  public @Nullable Collection<?> collection(Object record) {
    Object value = record;
    for (Level level : levels) {
      value = value == null ? null : level.codec().get(value, level.field());
    }
    return value == null ? null : elements(value, levels.getLast().part());
  }

  /** All values of the column in {@code record}. */
  public List<@Nullable Object> all(Object record) {
    List<@Nullable Object> values = new ArrayList<>();
    collect(record, 0, values);
    return values;
  }

  private void collect(@Nullable Object value, int depth, List<@Nullable Object> into) {
    if (depth == levels.size() || value == null) {
      into.add(element(value));
      return;
    }
    Level level = levels.get(depth);
    Object next = level.codec().get(value, level.field());
    if (level.part() == ColumnSpec.Part.WHOLE || next == null) {
      collect(next, depth + 1, into);
      return;
    }
    for (Object element : elements(next, level.part())) {
      collect(element, depth + 1, into);
    }
  }

  private static Collection<?> elements(Object value, ColumnSpec.Part part) {
    return switch (part) {
      case KEYS -> ((Map<?, ?>) value).keySet();
      case VALUES -> ((Map<?, ?>) value).values();
      case WHOLE, ELEMENTS -> (Collection<?>) value;
    };
  }

  /** Converts {@code value}, of the type of the column, to an element of keys. */
  @Nullable Object element(@Nullable Object value) {
    Object element = KeyElements.element(type, value);
    if (!column.descending()) {
      return element;
    }
    if (KeyElements.isHuge(element)) {
      throw new IllegalArgumentException(
          "The column '%s' has a number of more than %d bytes, which no key can hold"
              .formatted(name, KeyElements.NUMBER_BYTES_MAX));
    }
    return KeyElements.descending(element);
  }

  /**
   * Converts {@code value}, which a caller gave for this column of {@code index}, to an element.
   */
  public @Nullable Object given(IndexSpec index, @Nullable Object value) {
    try {
      return element(value);
    } catch (ClassCastException mismatch) {
      throw new IllegalArgumentException(
          "The column '%s' of the index '%s' is %s; %s is %s"
              .formatted(name, index.name(), type, value, value == null ? value : value.getClass()),
          mismatch);
    }
  }

  /** Converts {@code element} of a key to a value. */
  public @Nullable Object value(@Nullable Object element) {
    return KeyElements.value(
        type,
        column.descending() && element instanceof byte[] inverted
            ? KeyElements.ascending(inverted)
            : element);
  }

  /** Whether {@code element} of a key is null. */
  public boolean isNull(@Nullable Object element) {
    return column.descending() ? value(element) == null : element == null;
  }
}
