package dev.tidemark.records.internal.query.condition;

import dev.tidemark.records.schema.ColumnSpec;
import java.util.LinkedHashSet;
import java.util.Set;

/** The columns that a condition uses. */
public final class ConditionColumns {
  private ConditionColumns() {}

  /** The columns with one value in a record. */
  public static Set<ColumnSpec> single(Condition condition) {
    Set<ColumnSpec> found = new LinkedHashSet<>();
    collect(condition, found, new LinkedHashSet<>());
    return found;
  }

  /** The columns that fan out, whose elements are tested. */
  public static Set<ColumnSpec> fannedOut(Condition condition) {
    Set<ColumnSpec> found = new LinkedHashSet<>();
    collect(condition, new LinkedHashSet<>(), found);
    return found;
  }

  private static void collect(Condition condition, Set<ColumnSpec> single, Set<ColumnSpec> fanned) {
    switch (condition) {
      case Condition.Always always -> {}
      case Condition.Compare compare -> single.add(compare.column());
      case Condition.In in -> single.add(in.column());
      case Condition.IsNull isNull -> single.add(isNull.column());
      case Condition.StartsWith text -> single.add(text.column());
      case Condition.Like text -> single.add(text.column());
      case Condition.HasWords text -> single.add(text.column());
      case Condition.AnyMatch any -> fanned.add(any.column());
      case Condition.And(var parts) -> parts.forEach(part -> collect(part, single, fanned));
      case Condition.Or(var parts) -> parts.forEach(part -> collect(part, single, fanned));
      case Condition.Not(var part) -> collect(part, single, fanned);
    }
  }
}
