package dev.tidemark.records.internal.query.match;

import dev.tidemark.records.internal.query.condition.Bindings;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.scan.Packed;
import dev.tidemark.records.schema.ColumnSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tests of columns of index entries, which compare packed bytes without decoding where possible.
 */
public final class PackedLeaves implements Leaves<EntryRow> {
  private final EntryColumns columns;

  public PackedLeaves(EntryColumns columns) {
    this.columns = columns;
  }

  @Override
  public RowTest<EntryRow> compare(ColumnSpec column, Comparison comparison, Object operand) {
    return new Compare(new Column(columns, column), comparison, operand);
  }

  @Override
  public RowTest<EntryRow> in(ColumnSpec column, List<? extends @Nullable Object> operands) {
    return new In(new Column(columns, column), operands);
  }

  @Override
  public RowTest<EntryRow> isNull(ColumnSpec column) {
    return new IsNull(new Column(columns, column));
  }

  @Override
  public RowTest<EntryRow> startsWith(ColumnSpec column, String prefix) {
    return new Text(new Column(columns, column), text -> text.startsWith(prefix));
  }

  @Override
  public RowTest<EntryRow> text(ColumnSpec column, Predicate<String> test) {
    return new Text(new Column(columns, column), test);
  }

  @Override
  public RowTest<EntryRow> anyMatch(ColumnSpec column, Condition element, Bindings values) {
    throw new IllegalArgumentException(
        "An entry has one element of %s and cannot tell about all".formatted(column));
  }

  /** A column of the entries. */
  private static final class Column {
    private final int place;
    private final boolean descending;
    private final byte[] nothing;

    Column(EntryColumns columns, ColumnSpec column) {
      place = columns.place(column);
      if (place < 0) {
        throw new IllegalArgumentException("An entry does not have the column " + column);
      }
      descending = columns.isDescending(place);
      nothing = Packed.of(null, descending);
    }

    byte[] pack(Object element) {
      return Packed.of(element, descending);
    }

    boolean isNull(EntryRow row) {
      return descending
          ? order(row, nothing) == 0
          : row.bytes(place)[row.start(place)] == nothing[0];
    }

    /** The order of the column and {@code packed}; that of their values if it is ascending. */
    int order(EntryRow row, byte[] packed) {
      int start = row.start(place);
      return Arrays.compareUnsigned(
          row.bytes(place), start, row.end(place), packed, 0, packed.length);
    }
  }

  private static final class Compare extends RowTest<EntryRow> {
    private final Column column;
    private final Comparison comparison;
    private final byte[] packed;

    Compare(Column column, Comparison comparison, Object operand) {
      this.column = column;
      this.comparison = comparison;
      this.packed = column.pack(operand);
    }

    @Override
    int truth(EntryRow row) {
      if (column.isNull(row)) {
        return UNKNOWN;
      }
      int order = column.order(row, packed);
      return comparison.of(column.descending ? -order : order);
    }
  }

  private static final class In extends RowTest<EntryRow> {
    private final Column column;
    private final byte[][] sorted;
    private final int otherwise;

    In(Column column, List<? extends @Nullable Object> operands) {
      this.column = column;
      this.sorted =
          operands.stream()
              .filter(Objects::nonNull)
              .map(column::pack)
              .sorted(Arrays::compareUnsigned)
              .toArray(byte[][]::new);
      this.otherwise = sorted.length == operands.size() ? FALSE : UNKNOWN;
    }

    @Override
    int truth(EntryRow row) {
      if (column.isNull(row)) {
        return UNKNOWN;
      }
      int start = row.start(column.place);
      int end = row.end(column.place);
      return Packed.isAmong(sorted, row.bytes(column.place), start, end) ? TRUE : otherwise;
    }
  }

  private static final class IsNull extends RowTest<EntryRow> {
    private final Column column;

    IsNull(Column column) {
      this.column = column;
    }

    @Override
    int truth(EntryRow row) {
      return truth(column.isNull(row));
    }
  }

  private static final class Text extends RowTest<EntryRow> {
    private final Column column;
    private final Predicate<String> test;

    Text(Column column, Predicate<String> test) {
      this.column = column;
      this.test = test;
    }

    @Override
    int truth(EntryRow row) {
      Object text = row.element(column.place);
      return text == null ? UNKNOWN : truth(test.test((String) text));
    }
  }
}
