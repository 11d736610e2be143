package dev.tidemark.loader;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;

/** The type of a column, and the Java class of its values. */
public enum ColumnType {
  /** Text. */
  TEXT(String.class),
  /** A whole number of 64 bits. */
  INTEGER(Long.class),
  /** A floating point number of 64 bits. */
  DOUBLE(Double.class),
  /** A decimal number of 38 digits, 9 of them behind the point. */
  DECIMAL(BigDecimal.class),
  /** True or false. */
  BOOLEAN(Boolean.class),
  /** A moment, to the microsecond. */
  TIMESTAMP(Instant.class),
  /** A day. */
  DATE(LocalDate.class),
  /** Bytes, in Java an array. */
  BYTES(byte[].class);

  private final Class<?> javaType;

  ColumnType(Class<?> javaType) {
    this.javaType = javaType;
  }

  /** The class of values. */
  public Class<?> javaType() {
    return javaType;
  }
}
