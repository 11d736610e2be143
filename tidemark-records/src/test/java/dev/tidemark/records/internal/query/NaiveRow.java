package dev.tidemark.records.internal.query;

import dev.tidemark.records.internal.query.condition.Bindings;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.ElementOrder;
import dev.tidemark.records.internal.query.condition.LikePattern;
import dev.tidemark.records.internal.query.condition.Narrowing;
import dev.tidemark.records.internal.query.condition.Operand;
import dev.tidemark.records.schema.ColumnSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A record, an entry or an element as a map of its columns, with the plainest possible evaluation
 * of conditions.
 */
public final class NaiveRow {
  private static final int TRUE = 1;
  private static final int UNKNOWN = 0;
  private static final int FALSE = -1;

  private final Map<ColumnSpec, @Nullable Object> values = new HashMap<>();
  private final Map<ColumnSpec, @Nullable List<NaiveRow>> lists = new HashMap<>();

  public NaiveRow with(ColumnSpec column, @Nullable Object value) {
    values.put(column, value);
    return this;
  }

  public NaiveRow withList(ColumnSpec column, @Nullable List<NaiveRow> elements) {
    lists.put(column, elements);
    return this;
  }

  /** This row with nothing but {@code columns}. */
  NaiveRow only(Set<ColumnSpec> columns) {
    NaiveRow row = new NaiveRow();
    columns.forEach(column -> row.values.put(column, value(column)));
    return row;
  }

  public @Nullable Object value(ColumnSpec column) {
    if (!values.containsKey(column)) {
      throw new AssertionError("A plan asks for %s where there is only %s".formatted(column, this));
    }
    return values.get(column);
  }

  @Nullable List<NaiveRow> elements(ColumnSpec column) {
    if (!lists.containsKey(column)) {
      throw new AssertionError("A plan asks for %s where there is only %s".formatted(column, this));
    }
    return lists.get(column);
  }

  public boolean meets(Condition condition, Bindings bindings) {
    return truth(condition, bindings) == TRUE;
  }

  private int truth(Condition condition, Bindings bindings) {
    return switch (condition) {
      case Condition.Always(boolean value) -> truth(value);
      case Condition.Compare(var column, var operator, var operand) -> {
        Object value = value(column);
        yield value == null
            ? UNKNOWN
            : truth(Narrowing.meets(value, operator, bindings.element(operand)));
      }
      case Condition.In(var column, var operands) -> in(value(column), bindings.list(operands));
      case Condition.IsNull(var column) -> truth(value(column) == null);
      case Condition.StartsWith(var column, var operand) ->
          value(column) instanceof String text
              ? truth(text.startsWith(text(bindings, operand)))
              : UNKNOWN;
      case Condition.Like(var column, var pattern) ->
          value(column) instanceof String text
              ? truth(LikePattern.of(text(bindings, pattern)).matches(text))
              : UNKNOWN;
      case Condition.HasWords(var column, var words, var operand) ->
          value(column) instanceof String text
              ? truth(NaiveTruth.hasWords(text, words, given(bindings, operand)))
              : UNKNOWN;
      case Condition.AnyMatch(var column, var element) -> {
        List<NaiveRow> elements = elements(column);
        yield elements == null
            ? UNKNOWN
            : elements.stream().mapToInt(row -> row.truth(element, bindings)).max().orElse(FALSE);
      }
      case Condition.And(var parts) ->
          parts.stream().mapToInt(part -> truth(part, bindings)).min().orElse(TRUE);
      case Condition.Or(var parts) ->
          parts.stream().mapToInt(part -> truth(part, bindings)).max().orElse(FALSE);
      case Condition.Not(var part) -> -truth(part, bindings);
    };
  }

  private static String text(Bindings bindings, Operand operand) {
    return String.valueOf(bindings.element(operand));
  }

  private static Object given(Bindings bindings, Operand operand) {
    return Objects.requireNonNull(bindings.element(operand));
  }

  private static int truth(boolean value) {
    return value ? TRUE : FALSE;
  }

  private static int in(@Nullable Object value, List<?> operands) {
    if (value == null) {
      return UNKNOWN;
    }
    int found = FALSE;
    for (Object operand : operands) {
      boolean same = operand != null && ElementOrder.areEqual(operand, value);
      found = Math.max(found, operand == null ? UNKNOWN : truth(same));
    }
    return found;
  }

  @Override
  public String toString() {
    return values + " " + lists;
  }
}
