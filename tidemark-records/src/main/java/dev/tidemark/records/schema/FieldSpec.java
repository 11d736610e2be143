package dev.tidemark.records.schema;

import dev.tidemark.records.SchemaException;
import dev.tidemark.records.annotation.Default;
import dev.tidemark.records.internal.format.DynamicValues;
import java.util.Optional;

/**
 * A field of a stored record, as a schema describes it.
 *
 * @param number identifies the field in stored bytes; never reused
 * @param name its name, which may change
 * @param type the type of its values
 * @param nullable whether it can be null
 * @param defaultText the value of a record that lacks the field, written as in {@link Default};
 *     {@code "now"} gives it none
 */
public record FieldSpec(
    int number, String name, FieldType type, boolean nullable, Optional<String> defaultText) {
  /** The highest number of a field. */
  public static final int NUMBER_MAX = 536_870_911;

  /** A field without a default. */
  public FieldSpec(int number, String name, FieldType type, boolean nullable) {
    this(number, name, type, nullable, Optional.empty());
  }

  /** Checks the number and the name. */
  public FieldSpec {
    if (number < 1 || number > NUMBER_MAX || (number >= 19_000 && number <= 19_999)) {
      throw new SchemaException(
          "Field '%s' has number %d; numbers go from 1 to %,d, and those from 19000 to 19999 are reserved"
              .formatted(name, number, NUMBER_MAX));
    }
    if (name.isEmpty()) {
      throw new SchemaException("The field with number " + number + " has no name");
    }
  }

  /**
   * The value of the field in a record that lacks it: the default, or zero or false for a primitive
   * without one; an enum as the name of its constant. Empty for null and for an empty collection.
   */
  public Optional<Object> absent() {
    if (defaultsToNow()) {
      return Optional.empty();
    }
    return defaultText.map(type::parse).or(() -> nullable ? Optional.empty() : zero(type));
  }

  /** The zero of a primitive; empty for other types. */
  private static Optional<Object> zero(FieldType type) {
    if (!(type instanceof FieldType.Scalar scalar)) {
      return Optional.empty();
    }
    return switch (scalar) {
      case BOOLEAN, BYTE, SHORT, INT, LONG, CHAR, FLOAT, DOUBLE ->
          Optional.of(DynamicValues.zero(scalar));
      case STRING, BYTES, UUID, BIG_INTEGER, DECIMAL -> Optional.empty();
      case INSTANT, DATE, DATE_TIME, DURATION -> Optional.empty();
    };
  }

  /**
   * Whether the default is the time of the save. A record that lacks the field has no such time.
   */
  public boolean defaultsToNow() {
    return type == FieldType.Scalar.INSTANT && defaultText.equals(Optional.of("now"));
  }
}
