package dev.tidemark.records.internal.query.plan;

import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.Ordering;
import java.util.List;
import java.util.Optional;

/**
 * A plan that finds the records of a query, in some order, each once. Plans contain slots and no
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

  /** No rows. */
  record Nothing() implements Plan {}

  /**
   * Reads entries of one access. An index that fans out can have several entries of a record in it;
   * the record comes with the first of them.
   *
   * @param access what is read
   * @param onEntry the condition on the entry, checked before its record is loaded; it uses only
   *     columns of the entry
   * @param covering whether the entry has all selected columns, so that no record is loaded
   * @param onRecord the condition on the record, or on the entry if it is covering
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

    /** Whether skipped entries can be counted instead of read, which needs a single range. */
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
   * @param onRecord the condition on the record
   */
  record Intersection(List<Access> accesses, Condition onRecord) implements Plan {
    /** Copies the list. */
    public Intersection {
      accesses = List.copyOf(accesses);
    }
  }

  /**
   * The records of several branches. A record of several branches comes from the first of them: a
   * branch skips what meets the condition of an earlier branch, so no rows are remembered.
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
   * @param plan the plan of the branch
   * @param condition the condition that exactly the records of this branch meet, among those of the
   *     union
   */
  record Branch(Plan plan, Condition condition) {}

  /**
   * A sort in memory, up to a limit.
   *
   * @param source the plan whose rows are sorted
   * @param by the order; ties are in the order of primary keys
   */
  record Sorted(Plan source, List<Ordering> by) implements Plan {
    /** Copies the list. */
    public Sorted {
      by = List.copyOf(by);
    }
  }
}
