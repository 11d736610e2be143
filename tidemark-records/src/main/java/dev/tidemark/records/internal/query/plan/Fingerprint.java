package dev.tidemark.records.internal.query.plan;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.format.Codes;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.Operand;
import dev.tidemark.records.internal.query.condition.Ordering;
import dev.tidemark.records.schema.ColumnSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * A continuation holds the fingerprint of its plan and may outlive the program that made it. So it is not
 * taken from the names of classes or their fields, which may change, but from numbers that are given here
 * and never given again.
 */

/** The fingerprint of a plan: a number that is the same in every process and every version. */
public final class Fingerprint {
  private static final long FNV_BASIS = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private final List<@Nullable Object> parts = new ArrayList<>();

  private Fingerprint() {}

  static long of(Plan plan) {
    Fingerprint fingerprint = new Fingerprint();
    fingerprint.plan(plan);
    return of(Tuple.of(fingerprint.parts.toArray()));
  }

  public static long of(Tuple parts) {
    long hash = FNV_BASIS;
    for (byte next : parts.pack()) {
      hash = (hash ^ (next & 0xff)) * FNV_PRIME;
    }
    return hash;
  }

  private void plan(Plan plan) {
    switch (plan) {
      case Plan.Nothing nothing -> add(1);
      case Plan.Read(var access, var onEntry, var covering, var onRecord, var mergedBy) -> {
        add(2);
        access(access);
        condition(onEntry);
        add(covering ? 1 : 0);
        condition(onRecord);
        orderings(mergedBy);
      }
      case Plan.Intersection(var accesses, var onRecord) -> {
        add(3);
        add(accesses.size());
        accesses.forEach(this::access);
        condition(onRecord);
      }
      case Plan.Union(var branches, var mergedBy) -> {
        add(4);
        add(branches.size());
        for (Plan.Branch branch : branches) {
          plan(branch.plan());
          condition(branch.condition());
        }
        orderings(mergedBy);
      }
      case Plan.Sorted(var source, var by) -> {
        add(5);
        plan(source);
        orderings(by);
      }
    }
  }

  private void access(Access access) {
    text(access.index());
    add(access.reverse() ? 1 : 0);
    add(access.leading().size());
    for (Access.Leading leading : access.leading()) {
      switch (leading) {
        case Access.Leading.Equal(var operand) -> operand(1, operand);
        case Access.Leading.EachOf(var operands) -> operand(2, operands);
        case Access.Leading.Null none -> add(3);
        case Access.Leading.Any any -> add(4);
      }
    }
    switch (access.range()) {
      case Access.Range.All all -> add(1);
      case Access.Range.NotNull notNull -> add(2);
      case Access.Range.Prefix(var operand) -> operand(3, operand);
      case Access.Range.Between(var lower, var upper) -> {
        add(4);
        bounds(lower);
        bounds(upper);
      }
    }
  }

  private void bounds(List<Access.Range.Bound> bounds) {
    add(bounds.size());
    for (Access.Range.Bound bound : bounds) {
      operand(bound.inclusive() ? 1 : 0, bound.operand());
    }
  }

  private void condition(Condition condition) {
    switch (condition) {
      case Condition.Always(boolean value) -> add(value ? 1 : 2);
      case Condition.Compare(var column, var operator, var operand) -> {
        add(3);
        column(column);
        operand(code(operator), operand);
      }
      case Condition.In(var column, var operands) -> {
        column(column);
        operand(4, operands);
      }
      case Condition.IsNull(var column) -> {
        add(5);
        column(column);
      }
      case Condition.StartsWith(var column, var operand) -> {
        column(column);
        operand(6, operand);
      }
      case Condition.Like(var column, var pattern) -> {
        column(column);
        operand(7, pattern);
      }
      case Condition.HasWords(var column, var words, var operand) -> {
        add(12);
        column(column);
        operand(code(words), operand);
      }
      case Condition.AnyMatch(var column, var element) -> {
        add(8);
        column(column);
        condition(element);
      }
      case Condition.And(var parts) -> conditions(9, parts);
      case Condition.Or(var parts) -> conditions(10, parts);
      case Condition.Not(var part) -> conditions(11, List.of(part));
    }
  }

  private void conditions(int code, List<Condition> parts) {
    add(code);
    add(parts.size());
    parts.forEach(this::condition);
  }

  private static int code(Condition.Operator operator) {
    return switch (operator) {
      case EQ -> 1;
      case NE -> 2;
      case LT -> 3;
      case LE -> 4;
      case GT -> 5;
      case GE -> 6;
    };
  }

  private static int code(Condition.Words words) {
    return switch (words) {
      case ONE -> 1;
      case ANY -> 2;
      case PREFIX -> 3;
      case PHRASE -> 4;
    };
  }

  private void operand(int code, Operand operand) {
    add(code);
    switch (operand) {
      case Operand.Slot(int number) -> add(number);
      case Operand.Value(Object element) ->
          throw new IllegalArgumentException(
              "A plan has a value in the place of a slot: " + element);
    }
  }

  private void orderings(List<Ordering> orderings) {
    add(orderings.size());
    for (Ordering ordering : orderings) {
      column(ordering.column());
      add(ordering.descending() ? 1 : 0);
      add(ordering.nullsFirst() ? 1 : 0);
    }
  }

  private void column(ColumnSpec column) {
    add(column.path().size());
    for (ColumnSpec.Step step : column.path()) {
      add(step.field());
      add(Codes.PARTS.of(step.part()));
    }
  }

  private void text(Optional<String> text) {
    parts.add(text.orElse(null));
  }

  private void add(int number) {
    parts.add((long) number);
  }
}
