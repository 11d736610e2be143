package dev.tidemark.records;

import java.util.Optional;

/**
 * A field of a stored record, as a schema describes it.
 *
 * @param number what identifies the field in stored bytes; never reused
 * @param name its name, which may change
 * @param type the type of its values
 * @param nullable whether it can be null
 * @param defaultText what a record has that lacks the field, as {@link Default} says it; {@code
 *     "now"} on a time is of no use there
 */
public record FieldSpec(
    int number, String name, FieldType type, boolean nullable, Optional<String> defaultText) {
  /** The highest number of a field. */
  public static final int NUMBER_MAX = 536_870_911;

  /** A field without a default. */
  public FieldSpec(int number, String name, FieldType type, boolean nullable) {
    this(number, name, type, nullable, Optional.empty());
  }

  /** Refuses numbers that the format does not have. */
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

  /** The value of a record that lacks the field; an enum as the name of its constant. */
  public Optional<Object> absent() {
    return defaultsToNow() ? Optional.empty() : defaultText.map(type::parse);
  }

  /**
   * Whether the default is the time of the save, of which a record that lacks the field has none.
   */
  public boolean defaultsToNow() {
    return type == FieldType.Scalar.INSTANT && defaultText.equals(Optional.of("now"));
  }
}
