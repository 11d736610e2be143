package dev.tidemark.records.internal.query.condition;

import dev.tidemark.records.internal.keys.ColumnNames;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.FieldType.Scalar;
import dev.tidemark.records.schema.TypeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * An aggregate function of a group of records.
 *
 * @param function the function
 * @param column its argument, which does not fan out; empty for the count of records
 */
public record AggregateSpec(Function function, Optional<ColumnSpec> column) {
  /** The aggregate functions. */
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

    /** The number that stands for the function in a path; no field has it. */
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

  /**
   * The column that stands for this aggregate in conditions and orders of groups. No record has it.
   */
  public ColumnSpec key() {
    List<ColumnSpec.Step> path = new ArrayList<>();
    path.add(new ColumnSpec.Step(function.step(), ColumnSpec.Part.WHOLE));
    column.ifPresent(one -> path.addAll(one.path()));
    return new ColumnSpec(path, false);
  }

  /** The name of a column of groups: of a field, or of the aggregate that it stands for. */
  public static String name(TypeSpec type, ColumnSpec column) {
    int step = column.path().getFirst().field();
    for (Function function : Function.values()) {
      if (function.step() == step) {
        List<ColumnSpec.Step> argument = column.path().subList(1, column.path().size());
        String of =
            argument.isEmpty() ? "*" : ColumnNames.of(type, new ColumnSpec(argument, false));
        return "%s(%s)".formatted(function.name().toLowerCase(Locale.ROOT), of);
      }
    }
    return ColumnNames.of(type, column);
  }

  /**
   * The type of the result.
   *
   * @throws IllegalArgumentException if the function does not apply to the column
   */
  public FieldType typeIn(TypeSpec type) {
    return column.isEmpty() ? Scalar.LONG : resultOf(function, column.get().typeIn(type));
  }

  /** The type of the result for values of {@code type}. */
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
