package dev.tidemark.records.internal.query.condition;

import dev.tidemark.records.schema.ColumnSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the values of a condition by slots. Conditions that differ only in values have the same
 * shape and share plans, and no plan can contain the bounds of another query.
 */
public final class Parameters {
  private final List<@Nullable Object> elements = new ArrayList<>();

  private Parameters() {}

  /**
   * A query split into its shape and its values.
   *
   * @param shape the query without values, for which plans are made
   * @param bindings the values for its slots
   */
  public record Split(Shape shape, Bindings bindings) {}

  /** Splits a query whose {@code condition} is normalised. */
  public static Split split(
      String type,
      Condition condition,
      List<Ordering> order,
      Optional<List<ColumnSpec>> wanted,
      boolean bounded,
      Optional<String> index) {
    Parameters parameters = new Parameters();
    Condition slots = parameters.replace(condition);
    return new Split(
        new Shape(type, slots, order, wanted, bounded, index), new Bindings(parameters.elements));
  }

  private Condition replace(Condition condition) {
    return switch (condition) {
      case Condition.Always always -> always;
      case Condition.Compare(var column, var operator, var operand) ->
          new Condition.Compare(column, operator, slot(operand));
      case Condition.In(var column, var operands) -> new Condition.In(column, slot(operands));
      case Condition.IsNull isNull -> isNull;
      case Condition.StartsWith(var column, var operand) ->
          new Condition.StartsWith(column, slot(operand));
      case Condition.Like(var column, var pattern) -> new Condition.Like(column, slot(pattern));
      case Condition.HasWords(var column, var words, var operand) ->
          new Condition.HasWords(column, words, slot(operand));
      case Condition.AnyMatch(var column, var element) ->
          new Condition.AnyMatch(column, replace(element));
      case Condition.And(var parts) -> new Condition.And(replaceAll(parts));
      case Condition.Or(var parts) -> new Condition.Or(replaceAll(parts));
      case Condition.Not(var part) -> new Condition.Not(replace(part));
    };
  }

  private List<Condition> replaceAll(List<Condition> parts) {
    List<Condition> replaced = new ArrayList<>(parts.size());
    for (Condition part : parts) {
      replaced.add(replace(part));
    }
    return replaced;
  }

  private Operand slot(Operand operand) {
    return switch (operand) {
      case Operand.Slot slot ->
          throw new IllegalArgumentException("There are slots already: " + slot);
      case Operand.Value(Object element) -> {
        elements.add(element);
        yield new Operand.Slot(elements.size() - 1);
      }
    };
  }
}
