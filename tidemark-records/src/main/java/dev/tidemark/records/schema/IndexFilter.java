package dev.tidemark.records.schema;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.SchemaException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The filter of a partial index: it holds the records for which all comparisons are true. A
 * comparison with null is not true, except for {@link Operator#IS_NULL} and {@link
 * Operator#IS_NOT_NULL}.
 *
 * @param comparisons all of them must be true; none for every record
 */
public record IndexFilter(List<Comparison> comparisons) {
  /** Every record. */
  public static final IndexFilter ALL = new IndexFilter(List.of());

  /** The operator of a comparison. */
  public enum Operator {
    /** Equal. */
    EQ("="),
    /** Not equal. */
    NE("!="),
    /** Less. */
    LT("<"),
    /** Less or equal. */
    LE("<="),
    /** Greater. */
    GT(">"),
    /** Greater or equal. */
    GE(">="),
    /** Null. */
    IS_NULL("is null"),
    /** Not null. */
    IS_NOT_NULL("is not null");

    private final String text;

    Operator(String text) {
      this.text = text;
    }

    /** The operator as it is written. */
    public String text() {
      return text;
    }
  }

  /**
   * One comparison.
   *
   * @param column the field, which must not fan out
   * @param operator how it is compared
   * @param operand the value to compare with, as an element of a key; null where the operator takes
   *     none
   */
  public record Comparison(ColumnSpec column, Operator operator, @Nullable Object operand) {
    /** Operands are equal if they are the same element of a key, whatever Java type they have. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Comparison that
          && column.equals(that.column)
          && operator == that.operator
          && Tuple.of(operand).equals(Tuple.of(that.operand));
    }

    @Override
    public int hashCode() {
      return Objects.hash(column, operator, Tuple.of(operand));
    }
  }

  /** Copies the list. */
  public IndexFilter {
    comparisons = List.copyOf(comparisons);
  }

  /**
   * The filter that {@code text} describes: comparisons joined by {@code and}, such as {@code
   * "status = 'OPEN' and amount > 100 and closedAt is null"}. Numbers, true and false are written
   * as they are, all else in single quotes.
   *
   * @throws SchemaException if the text is wrong, or {@code type} has no such field
   */
  public static IndexFilter parse(TypeSpec type, String text) {
    return FilterText.parse(type, text);
  }
}
