package dev.tidemark.records.internal.query.condition;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The values of one call for the slots of a plan. */
public final class Bindings {
  private final List<@Nullable Object> elements;

  /** These values, in the order of the slots. */
  public Bindings(List<@Nullable Object> elements) {
    this.elements = elements;
  }

  /** All of them. */
  public List<@Nullable Object> elements() {
    return elements;
  }

  /** How many there are. */
  public int size() {
    return elements.size();
  }

  /** The element for {@code operand}. */
  public @Nullable Object element(Operand operand) {
    return switch (operand) {
      case Operand.Value(Object element) -> element;
      case Operand.Slot(int number) -> elements.get(number);
    };
  }

  /** The elements for {@code operand} of an {@link Condition.In}. */
  public List<?> list(Operand operand) {
    return (List<?>) Objects.requireNonNull(element(operand), "operands of IN");
  }
}
