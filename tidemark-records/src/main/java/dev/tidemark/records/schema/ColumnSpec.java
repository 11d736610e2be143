package dev.tidemark.records.schema;

import dev.tidemark.records.SchemaException;
import java.util.List;
import java.util.Locale;

/**
 * A column of an index: the path to its value in a record, and its direction.
 *
 * @param path the fields to go through, outermost first
 * @param descending whether larger values come first
 */
public record ColumnSpec(List<Step> path, boolean descending) {
  /** Which part of a field a step takes. */
  public enum Part {
    /** The field itself. */
    WHOLE,
    /** Each element of a list or set: one entry for each. */
    ELEMENTS,
    /** Each key of a map: one entry for each. */
    KEYS,
    /** Each value of a map: one entry for each. */
    VALUES
  }

  /**
   * One field of a path.
   *
   * @param field the number of the field
   * @param part which part of it the step takes
   */
  public record Step(int field, Part part) {}

  /** Copies and checks the path. */
  public ColumnSpec {
    path = List.copyOf(path);
    if (path.isEmpty()) {
      throw new SchemaException("A column of an index names no field");
    }
  }

  /** An ascending column of one plain field. */
  public static ColumnSpec of(int field) {
    return new ColumnSpec(List.of(new Step(field, Part.WHOLE)), false);
  }

  /**
   * An ascending column of {@code field}, with an entry for each element if it is a list or a set.
   */
  public static ColumnSpec ofAll(FieldSpec field) {
    boolean several =
        field.type() instanceof FieldType.ListOf || field.type() instanceof FieldType.SetOf;
    return new ColumnSpec(
        List.of(new Step(field.number(), several ? Part.ELEMENTS : Part.WHOLE)), false);
  }

  /**
   * The column of {@code type} that {@code text} names: {@code city}, {@code address.zip}, {@code
   * tags[]}, {@code labels.keys[]}, each also with {@code desc} behind it.
   *
   * @throws SchemaException if there is no such field, or it is not a single value
   */
  public static ColumnSpec parse(TypeSpec type, String text) {
    return ColumnText.parse(type, text);
  }

  /**
   * The type of the values that the column has in records of {@code type}.
   *
   * @throws SchemaException if the path does not lead to one
   */
  public FieldType typeIn(TypeSpec type) {
    List<FieldSpec> fields = type.fields();
    FieldType found = null;
    for (Step step : path) {
      FieldSpec field =
          fields.stream()
              .filter(candidate -> candidate.number() == step.field())
              .findFirst()
              .orElseThrow(
                  () ->
                      new SchemaException(
                          "A column names field %d, which %s does not have there"
                              .formatted(step.field(), type.name())));
      found = part(type, field, step.part());
      fields = found instanceof FieldType.Nested nested ? nested.fields() : List.of();
    }
    if (found == null) {
      throw new SchemaException("A column of " + type.name() + " names no field");
    }
    return found;
  }

  private static FieldType part(TypeSpec type, FieldSpec field, Part part) {
    FieldType whole = field.type();
    if (part == Part.WHOLE) {
      return whole;
    }
    if (part == Part.ELEMENTS && whole instanceof FieldType.ListOf list) {
      return list.element();
    }
    if (part == Part.ELEMENTS && whole instanceof FieldType.SetOf set) {
      return set.element();
    }
    if (whole instanceof FieldType.MapOf map && part != Part.ELEMENTS) {
      return part == Part.KEYS ? map.key() : map.value();
    }
    throw new SchemaException(
        "A column takes the %s of %s.%s, which is %s"
            .formatted(part.name().toLowerCase(Locale.ROOT), type.name(), field.name(), whole));
  }

  /** Whether one record can have several values in this column. */
  public boolean fansOut() {
    for (Step step : path) {
      if (step.part() != Part.WHOLE) {
        return true;
      }
    }
    return false;
  }
}
