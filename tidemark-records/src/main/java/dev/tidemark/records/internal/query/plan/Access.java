package dev.tidemark.records.internal.query.plan;

import dev.tidemark.records.internal.query.condition.Operand;
import java.util.List;
import java.util.Optional;

/**
 * The part of an index, or of the records in the order of their primary keys, that a plan reads.
 *
 * @param index the name of the index; empty for the records themselves
 * @param leading the constraints on the first columns
 * @param range the constraint on the column after them
 * @param reverse whether the last entry comes first
 */
public record Access(Optional<String> index, List<Leading> leading, Range range, boolean reverse) {
  /** The number of entries up to which reading takes less time than counting in a rank index. */
  public static final int READ_RATHER_THAN_COUNT_MAX = 200;

  /** Copies the list. */
  public Access {
    leading = List.copyOf(leading);
  }

  /** The constraint on one of the first columns. */
  public sealed interface Leading {
    /** Equal to a value. */
    record Equal(Operand operand) implements Leading {}

    /** Equal to one of several values: one range of keys for each, in the order of the keys. */
    record EachOf(Operand operands) implements Leading {}

    /** Null. */
    record Null() implements Leading {}

    /** Any value: a skip scan seeks each distinct value. */
    record Any() implements Leading {}
  }

  /** The constraint on the next column. Bounds exclude null. */
  public sealed interface Range {
    /** Anything. */
    record All() implements Range {}

    /** Anything but null. */
    record NotNull() implements Range {}

    /** Texts that begin with a text. */
    record Prefix(Operand operand) implements Range {}

    /**
     * Between bounds: all of them hold. A list may be empty; then that end is open.
     *
     * @param lower lower bounds
     * @param upper upper bounds
     */
    record Between(List<Bound> lower, List<Bound> upper) implements Range {
      /** Copies the lists. */
      public Between {
        lower = List.copyOf(lower);
        upper = List.copyOf(upper);
      }
    }

    /**
     * One bound.
     *
     * @param operand the value
     * @param inclusive whether it still belongs to the range
     */
    record Bound(Operand operand, boolean inclusive) {}
  }
}
