package dev.tidemark.records;

/**
 * A field of a stored record, as a schema describes it.
 *
 * @param number what identifies the field in stored bytes; never reused
 * @param name its name, which may change
 * @param type the type of its values
 * @param nullable whether it can be null
 */
public record FieldSpec(int number, String name, FieldType type, boolean nullable) {
  /** The highest number of a field. */
  public static final int NUMBER_MAX = 536_870_911;

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
}
