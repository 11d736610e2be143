package dev.tidemark.records.internal.query.match;

import dev.tidemark.records.internal.query.condition.Bindings;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.schema.ColumnSpec;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The compiled test of a condition on rows of elements, such as groups. Made once for a plan and
 * shared by all executions.
 */
public final class EntryTests {
  private final Condition condition;
  private final Leaves<@Nullable Object[]> leaves;

  private EntryTests(Condition condition, List<ColumnSpec> columns) {
    this.condition = condition;
    this.leaves = new OfRow(columns);
  }

  /**
   * Compiles {@code condition} for rows with {@code columns}.
   *
   * @param columns the columns of the elements of a row, in order; elements are in ascending form
   */
  public static EntryTests of(List<ColumnSpec> columns, Condition condition) {
    return new EntryTests(condition, columns);
  }

  /** The test with the values of one call. */
  public RowTest<@Nullable Object[]> with(Bindings values) {
    return RowTests.of(condition, leaves, values);
  }

  private static final class OfRow extends ElementLeaves<@Nullable Object[]> {
    private final List<List<ColumnSpec.Step>> paths;

    OfRow(List<ColumnSpec> columns) {
      this.paths = columns.stream().map(ColumnSpec::path).toList();
    }

    @Override
    Function<@Nullable Object[], @Nullable Object> reader(ColumnSpec column) {
      int place = paths.indexOf(column.path());
      if (place < 0) {
        throw new IllegalArgumentException(
            "A row with %s is asked about %s".formatted(paths, column));
      }
      return row -> row[place];
    }

    @Override
    public RowTest<@Nullable Object[]> anyMatch(
        ColumnSpec column, Condition element, Bindings values) {
      throw new IllegalArgumentException(
          "A row of an index has one element of %s and cannot tell about all".formatted(column));
    }
  }
}
