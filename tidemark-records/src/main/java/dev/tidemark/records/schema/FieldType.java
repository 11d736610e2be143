package dev.tidemark.records.schema;

import dev.tidemark.records.SchemaException;
import java.util.List;

/** The type of a stored field. */
public sealed interface FieldType {
  /**
   * Parses a value of this type; an enum as the name of its constant.
   *
   * @throws SchemaException if {@code text} is no such value, with an example of one
   */
  default Object parse(String text) {
    return Literals.parse(this, text);
  }

  /** A single value. */
  enum Scalar implements FieldType {
    /** {@code boolean}. */
    BOOLEAN,
    /** {@code byte}. */
    BYTE,
    /** {@code short}. */
    SHORT,
    /** {@code int}. */
    INT,
    /** {@code long}. */
    LONG,
    /** {@code char}. */
    CHAR,
    /** {@code float}. */
    FLOAT,
    /** {@code double}. */
    DOUBLE,
    /** {@link String}. */
    STRING,
    /** {@code byte[]}. */
    BYTES,
    /** {@link java.util.UUID}. */
    UUID,
    /** {@link java.math.BigInteger}. */
    BIG_INTEGER,
    /** {@link java.math.BigDecimal}. */
    DECIMAL,
    /** {@link java.time.Instant}. */
    INSTANT,
    /** {@link java.time.LocalDate}. */
    DATE,
    /** {@link java.time.LocalDateTime}. */
    DATE_TIME,
    /** {@link java.time.Duration}. */
    DURATION;

    /** Whether values are whole numbers, which can be summed without loss. */
    public boolean isWholeNumber() {
      return this == BYTE || this == SHORT || this == INT || this == LONG;
    }
  }

  /**
   * An enum. A constant is stored as its index in {@code constants}, so the list may only grow at
   * its end.
   *
   * @param name the name of the enum
   * @param constants the names of its constants in order
   */
  record Constants(String name, List<String> constants) implements FieldType {
    /** Copies the list. */
    public Constants {
      constants = List.copyOf(constants);
    }

    /** For messages. */
    @Override
    public String toString() {
      return "enum %s %s".formatted(name, constants);
    }
  }

  /**
   * A record within a record.
   *
   * @param name the name of the nested type
   * @param fields its fields
   * @param reserved the numbers of fields that earlier versions had
   */
  record Nested(String name, List<FieldSpec> fields, List<Integer> reserved) implements FieldType {
    /** Copies the lists. */
    public Nested {
      fields = List.copyOf(fields);
      reserved = reserved.stream().distinct().sorted().toList();
    }

    /** A record that never had other fields. */
    public Nested(String name, List<FieldSpec> fields) {
      this(name, fields, List.of());
    }

    /** For messages. */
    @Override
    public String toString() {
      return "record " + name;
    }
  }

  /**
   * A list. Elements are not null and not lists, sets or maps themselves.
   *
   * @param element the type of its elements
   */
  record ListOf(FieldType element) implements FieldType {
    /** For messages. */
    @Override
    public String toString() {
      return "list of " + element;
    }
  }

  /**
   * A set. Elements are not null and not lists, sets or maps themselves.
   *
   * @param element the type of its elements
   */
  record SetOf(FieldType element) implements FieldType {
    /** For messages. */
    @Override
    public String toString() {
      return "set of " + element;
    }
  }

  /**
   * A map. Keys and values are not null and not lists, sets or maps themselves.
   *
   * @param key the type of its keys, a scalar or an enum
   * @param value the type of its values
   */
  record MapOf(FieldType key, FieldType value) implements FieldType {
    /** For messages. */
    @Override
    public String toString() {
      return "map of %s to %s".formatted(key, value);
    }
  }
}
