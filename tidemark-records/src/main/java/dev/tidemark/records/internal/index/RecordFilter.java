package dev.tidemark.records.internal.index;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.ColumnReader;
import dev.tidemark.records.schema.IndexFilter;
import dev.tidemark.records.schema.RecordType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides whether an index holds a record. */
final class RecordFilter {
  private final List<Check> checks;

  private record Check(
      ColumnReader column, IndexFilter.Operator operator, @Nullable Object operand) {}

  private RecordFilter(List<Check> checks) {
    this.checks = checks;
  }

  static RecordFilter of(RecordType<?> type, IndexFilter filter) {
    return new RecordFilter(
        filter.comparisons().stream()
            .map(
                comparison ->
                    new Check(
                        ColumnReader.of(type, comparison.column()),
                        comparison.operator(),
                        comparison.operand()))
            .toList());
  }

  boolean holds(Object record) {
    for (Check check : checks) {
      if (!isTrue(check, check.column().single(record))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isTrue(Check check, @Nullable Object value) {
    switch (check.operator()) {
      case IS_NULL -> {
        return value == null;
      }
      case IS_NOT_NULL -> {
        return value != null;
      }
      case EQ, NE, LT, LE, GT, GE -> {
        if (value == null || check.operand() == null) {
          return false;
        }
      }
    }
    int order = Tuple.of(value).compareTo(Tuple.of(check.operand()));
    return switch (check.operator()) {
      case EQ -> order == 0;
      case NE -> order != 0;
      case LT -> order < 0;
      case LE -> order <= 0;
      case GT -> order > 0;
      case GE -> order >= 0;
      case IS_NULL, IS_NOT_NULL -> throw new AssertionError(check.operator());
    };
  }
}
