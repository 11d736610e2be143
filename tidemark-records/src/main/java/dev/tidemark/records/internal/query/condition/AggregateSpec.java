package dev.tidemark.records.internal.query.condition;

import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.FieldType.Scalar;
import dev.tidemark.records.schema.TypeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Something that is asked about a group of records.
 *
 * @param function what is asked
 * @param column of which column, which does not fan out; empty for the count of records
 */
public record AggregateSpec(Function function, Optional<ColumnSpec> column) {
  /** What can be asked. */
  public enum Function {
    /** How many records there are, or how many of them have a value. */
    COUNT,
    /** How many different values there are. */
    COUNT_DISTINCT,
    /** The sum of all values; 0 if there are none. */
    SUM,
    /** The smallest value. */
    MIN,
    /** The largest value. */
    MAX,
    /** The average of all values. */
    AVG;

    /** A number that no field has. */
    private int step() {
      return switch (this) {
        case COUNT -> -1;
        case COUNT_DISTINCT -> -6;
        case SUM -> -2;
        case MIN -> -3;
        case MAX -> -4;
        case AVG -> -5;
      };
    }
  }

  /** A column that stands for this in conditions and orders of groups. No record has it. */
  public ColumnSpec key() {
    List<ColumnSpec.Step> path = new ArrayList<>();
    path.add(new ColumnSpec.Step(function.step(), ColumnSpec.Part.WHOLE));
    column.ifPresent(one -> path.addAll(one.path()));
    return new ColumnSpec(path, false);
  }

  /**
   * The type of the answer.
   *
   * @throws IllegalArgumentException if it cannot be asked of that column
   */
  public FieldType typeIn(TypeSpec type) {
    return column.isEmpty() ? Scalar.LONG : resultOf(function, column.get().typeIn(type));
  }

  /** The type of the answer for values of {@code type}. */
  public static FieldType resultOf(Function function, FieldType type) {
    return switch (function) {
      case COUNT, COUNT_DISTINCT -> Scalar.LONG;
      case MIN, MAX -> type;
      case AVG -> {
        sum(type);
        yield Scalar.DOUBLE;
      }
      case SUM -> sum(type);
    };
  }

  private static FieldType sum(FieldType type) {
    if (type instanceof Scalar scalar) {
      switch (scalar) {
        case BYTE, SHORT, INT, LONG -> {
          return Scalar.LONG;
        }
        case FLOAT, DOUBLE -> {
          return Scalar.DOUBLE;
        }
        case BIG_INTEGER, DECIMAL -> {
          return scalar;
        }
        case BOOLEAN, CHAR, STRING, BYTES, UUID, INSTANT, DATE, DATE_TIME, DURATION -> {}
      }
    }
    throw new IllegalArgumentException("Values of type %s cannot be added up".formatted(type));
  }
}
