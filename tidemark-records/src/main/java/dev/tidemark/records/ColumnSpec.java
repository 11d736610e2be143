package dev.tidemark.records;

import java.util.List;

/**
 * A column of an index: where its value is found in a record, and in which order it is kept.
 *
 * @param path the fields to go through, outermost first
 * @param descending whether larger values come first
 */
public record ColumnSpec(List<Step> path, boolean descending) {
  /** What of a field is meant. */
  public enum Part {
    /** The field itself. */
    WHOLE(0),
    /** Each element of a list or set: one entry for each. */
    ELEMENTS(1),
    /** Each key of a map: one entry for each. */
    KEYS(2),
    /** Each value of a map: one entry for each. */
    VALUES(3);

    private final int code;

    Part(int code) {
      this.code = code;
    }

    /** The number by which the part is stored in a schema. */
    public int code() {
      return code;
    }

    /** The part with {@code code}. */
    public static Part of(int code) {
      for (Part part : values()) {
        if (part.code == code) {
          return part;
        }
      }
      throw new IllegalArgumentException("There is no part " + code);
    }
  }

  /**
   * One field on the way.
   *
   * @param field the number of the field
   * @param part what of it is meant
   */
  public record Step(int field, Part part) {}

  /** Copies the path and refuses an empty one. */
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

  /** Whether one record can have several values in this column. */
  public boolean fansOut() {
    return path.stream().anyMatch(step -> step.part() != Part.WHOLE);
  }
}
