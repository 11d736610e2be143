package dev.tidemark.records.schema;

import dev.tidemark.records.SchemaException;
import dev.tidemark.records.annotation.Default;
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

  /**
   * The value of a record that lacks the field: the default, or zero or false where a primitive has
   * none; an enum as the name of its constant. Empty where it is null or an empty collection.
   */
  public Optional<Object> absent() {
    if (defaultsToNow()) {
      return Optional.empty();
    }
    return defaultText.map(type::parse).or(() -> nullable ? Optional.empty() : zero(type));
  }

  /** What a primitive has without a value; nothing for other types. */
  private static Optional<Object> zero(FieldType type) {
    if (!(type instanceof FieldType.Scalar scalar)) {
      return Optional.empty();
    }
    return switch (scalar) {
      case BOOLEAN -> Optional.of(false);
      case BYTE -> Optional.of((byte) 0);
      case SHORT -> Optional.of((short) 0);
      case INT -> Optional.of(0);
      case LONG -> Optional.of(0L);
      case CHAR -> Optional.of((char) 0);
      case FLOAT -> Optional.of(0f);
      case DOUBLE -> Optional.of(0d);
      case STRING, BYTES, UUID, BIG_INTEGER, DECIMAL -> Optional.empty();
      case INSTANT, DATE, DATE_TIME, DURATION -> Optional.empty();
    };
  }

  /**
   * Whether the default is the time of the save, of which a record that lacks the field has none.
   */
  public boolean defaultsToNow() {
    return type == FieldType.Scalar.INSTANT && defaultText.equals(Optional.of("now"));
  }
}
