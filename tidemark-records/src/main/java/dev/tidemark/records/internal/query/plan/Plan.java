package dev.tidemark.records.internal.query.plan;

import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.Ordering;
import java.util.List;
import java.util.Optional;

/**
 * A way to find the records that a query wants, in some order, each once. Plans know slots and no
 * values.
 */
public sealed interface Plan {
  /** Whether it reads {@code name}, which is an index. */
  default boolean uses(String name) {
    Optional<String> index = Optional.of(name);
    return switch (this) {
      case Nothing nothing -> false;
      case Read read -> read.access().index().equals(index);
      case Intersection(var accesses, var onRecord) ->
          accesses.stream().anyMatch(access -> access.index().equals(index));
      case Union(var branches, var mergedBy) ->
          branches.stream().anyMatch(branch -> branch.plan().uses(name));
      case Sorted(var source, var by) -> source.uses(name);
    };
  }

  /** Nothing. */
  record Nothing() implements Plan {}

  /**
   * Reads entries of one access. An index that fans out can have several entries of a record in it;
   * the record comes with the first of them.
   *
   * @param access what is read
   * @param onEntry asked of the entry before its record is loaded; only of columns that the entry
   *     has
   * @param covering whether the entry has all that the query wants, so that no record is loaded
   * @param onRecord asked of the record, or of the entry if that is covering
   * @param mergedBy if not empty, the ranges of the access are merged so that rows come in this
   *     order
   */
  record Read(
      Access access,
      Condition onEntry,
      boolean covering,
      Condition onRecord,
      List<Ordering> mergedBy)
      implements Plan {
    /** Copies the list. */
    public Read {
      mergedBy = List.copyOf(mergedBy);
    }

    /**
     * Whether each entry of {@code route}, which it reads, is a row of its own, but for records
     * that have expired.
     */
    public boolean givesEveryEntry(Route route) {
      return route.index().isPresent()
          && onEntry.equals(Condition.TRUE)
          && onRecord.equals(Condition.TRUE)
          && !route.repeats(access.leading());
    }

    /** Whether entries that are passed over can be counted instead of read: in one range only. */
    public boolean countsEntries(Route route) {
      return route.rankedIn().isPresent()
          && access.leading().size() >= route.rankedIn().getAsInt()
          && access.leading().stream().allMatch(Plan::isOneValue)
          && mergedBy.isEmpty();
    }
  }

  private static boolean isOneValue(Access.Leading column) {
    return column instanceof Access.Leading.Equal || column instanceof Access.Leading.Null;
  }

  /**
   * The records that all of several accesses have, in the order of their primary keys, in which
   * each of the accesses is too.
   *
   * @param accesses at least two; all their leading columns are {@link Access.Leading.Equal} or
   *     null
   * @param onRecord asked of the record
   */
  record Intersection(List<Access> accesses, Condition onRecord) implements Plan {
    /** Copies the list. */
    public Intersection {
      accesses = List.copyOf(accesses);
    }
  }

  /**
   * The records of several branches. One that several branches have comes from the first of them: a
   * branch leaves out what meets the condition of a branch before it, so nothing is remembered.
   *
   * @param branches at least two
   * @param mergedBy if not empty, each branch is in this order and they are merged; otherwise one
   *     comes after the other
   */
  record Union(List<Branch> branches, List<Ordering> mergedBy) implements Plan {
    /** Copies the lists. */
    public Union {
      branches = List.copyOf(branches);
      mergedBy = List.copyOf(mergedBy);
    }
  }

  /**
   * One branch of a union.
   *
   * @param plan finds its records
   * @param condition of all records of the union, exactly those of this branch meet it
   */
  record Branch(Plan plan, Condition condition) {}

  /**
   * Sorts in memory, up to a limit.
   *
   * @param source what is sorted
   * @param by the order; the primary key decides between equals
   */
  record Sorted(Plan source, List<Ordering> by) implements Plan {
    /** Copies the list. */
    public Sorted {
      by = List.copyOf(by);
    }
  }
}
