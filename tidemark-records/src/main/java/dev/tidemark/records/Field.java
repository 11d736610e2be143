package dev.tidemark.records;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A field of a record type, for indexes and queries: {@code User_.CITY}. The annotation processor
 * writes one for each component.
 *
 * {@snippet :
 * IndexSpec.of("user_zip", "User", IndexKind.VALUE, List.of(User_.AddressFields.ZIP.column()));
 * }
 *
 * @param <R> the Java class of the records
 * @param <V> the Java class of the values
 */
public final class Field<R, V> {
  private final List<FieldSpec> path;
  private final Function<R, @Nullable V> getter;

  private Field(List<FieldSpec> path, Function<R, @Nullable V> getter) {
    this.path = List.copyOf(path);
    this.getter = getter;
  }

  /**
   * The field of {@code type} with {@code number}.
   *
   * @param getter its value in a record; null where it has none
   */
  public static <R, V> Field<R, V> of(TypeSpec type, int number, Function<R, @Nullable V> getter) {
    return of(type.name(), type.fields(), number, getter);
  }

  /**
   * The field of a nested record with {@code number}.
   *
   * @param getter its value in a nested record; null where it has none
   */
  public static <R, V> Field<R, V> of(
      FieldType.Nested type, int number, Function<R, @Nullable V> getter) {
    return of(type.name(), type.fields(), number, getter);
  }

  private static <R, V> Field<R, V> of(
      String owner, List<FieldSpec> fields, int number, Function<R, @Nullable V> getter) {
    for (FieldSpec field : fields) {
      if (field.number() == number) {
        return new Field<>(List.of(field), getter);
      }
    }
    throw new SchemaException("%s has no field with number %d".formatted(owner, number));
  }

  /** The name of the field; with those on the way to it, {@code address.zip}. */
  public String name() {
    return String.join(".", path.stream().map(FieldSpec::name).toList());
  }

  /** The number of the field in the record that it is directly in. */
  public int number() {
    return path.getLast().number();
  }

  /** The type of its values. */
  public FieldType type() {
    return path.getLast().type();
  }

  /** The value in {@code record}; null where it has none. */
  public @Nullable V get(R record) {
    return getter.apply(record);
  }

  /** The field {@code inner} of the nested record in this field. */
  public <W> Field<R, W> then(Field<V, W> inner) {
    List<FieldSpec> longer = new ArrayList<>(path);
    longer.addAll(inner.path);
    return new Field<>(
        longer,
        record -> {
          V nested = get(record);
          return nested == null ? null : inner.get(nested);
        });
  }

  /** The column of this field, for an index; of a list or a set, each of its elements. */
  public ColumnSpec column() {
    return column(false);
  }

  /** The same as {@link #column}, larger values first. */
  public ColumnSpec descending() {
    return column(true);
  }

  private ColumnSpec column(boolean descending) {
    List<ColumnSpec.Step> steps = new ArrayList<>();
    path.forEach(field -> steps.addAll(ColumnSpec.ofAll(field).path()));
    return new ColumnSpec(steps, descending);
  }

  @Override
  public String toString() {
    return name();
  }
}
