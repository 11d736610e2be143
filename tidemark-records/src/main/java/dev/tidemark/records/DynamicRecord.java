package dev.tidemark.records;

import dev.tidemark.records.internal.format.DynamicCodec;
import dev.tidemark.records.internal.format.DynamicValues;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.TypeSpec;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A record of a type for which the program has no Java class, as consoles and migrations use it.
 * Fields are found by name. The value of an enum is the name of its constant, that of a nested
 * record a {@code DynamicRecord}. Immutable.
 */
public final class DynamicRecord {
  private final String type;
  private final List<FieldSpec> fields;
  private final Map<Integer, Object> values;

  private DynamicRecord(String type, List<FieldSpec> fields, Map<Integer, Object> values) {
    this.type = type;
    this.fields = fields;
    this.values = Collections.unmodifiableMap(values);
  }

  /** A record type whose records are dynamic. */
  public static RecordType<DynamicRecord> type(TypeSpec spec) {
    return new RecordType<>(
        spec, DynamicRecord.class, new DynamicCodec(spec.name(), spec.fields()));
  }

  /** A record of {@code spec} without values. */
  public static DynamicRecord of(TypeSpec spec) {
    return of(spec.name(), spec.fields(), Map.of());
  }

  /** A nested record without values. */
  public static DynamicRecord of(FieldType.Nested nested) {
    return of(nested.name(), nested.fields(), Map.of());
  }

  /** A record of {@code fields} with {@code values} by field number, which are not checked. */
  public static DynamicRecord of(String type, List<FieldSpec> fields, Map<Integer, Object> values) {
    return new DynamicRecord(type, fields, new TreeMap<>(values));
  }

  /** The name of the type. */
  public String type() {
    return type;
  }

  /** The fields that the record can have. */
  public List<FieldSpec> fields() {
    return fields;
  }

  /**
   * The value of the field {@code name}; empty if it is null. A collection without elements is an
   * empty collection. Changes to a returned array do not change the record.
   *
   * @throws IllegalArgumentException if there is no such field
   */
  public Optional<Object> get(String name) {
    return Optional.ofNullable(value(field(name).number())).map(DynamicValues::unmodifiable);
  }

  /** The value of the field with {@code number}, or null. */
  public @Nullable Object value(int number) {
    Object value = values.get(number);
    return value != null ? value : empty(number);
  }

  private @Nullable Object empty(int number) {
    return fields.stream()
        .filter(field -> field.number() == number)
        .findFirst()
        .map(field -> DynamicValues.empty(field.type()))
        .orElse(null);
  }

  /** This record with {@code value} in the field {@code name}. */
  public DynamicRecord with(String name, Object value) {
    FieldSpec field = field(name);
    return with(field.number(), DynamicValues.checked(type + "." + name, field.type(), value));
  }

  /** This record with nothing in the field {@code name}. */
  public DynamicRecord without(String name) {
    return with(field(name).number(), null);
  }

  /**
   * This record with another value, which is not checked, in the field with {@code number}; null
   * removes the value.
   */
  public DynamicRecord with(int number, @Nullable Object value) {
    TreeMap<Integer, Object> changed = new TreeMap<>(values);
    if (value == null) {
      changed.remove(number);
    } else {
      changed.put(number, value);
    }
    return new DynamicRecord(type, fields, changed);
  }

  private FieldSpec field(String name) {
    return fields.stream()
        .filter(field -> field.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s has no field '%s'; it has %s"
                        .formatted(type, name, fields.stream().map(FieldSpec::name).toList())));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DynamicRecord that
        && type.equals(that.type)
        && DynamicValues.equal(values, that.values);
  }

  @Override
  public int hashCode() {
    return type.hashCode() * 31 + values.keySet().hashCode();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(type).append('[');
    for (FieldSpec field : fields) {
      Object value = values.get(field.number());
      if (value != null) {
        text.append(text.charAt(text.length() - 1) == '[' ? "" : ", ")
            .append(field.name())
            .append('=')
            .append(DynamicValues.text(value));
      }
    }
    return text.append(']').toString();
  }
}
