package dev.tidemark.records.internal.query.match;

import dev.tidemark.records.internal.query.condition.Bindings;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.ElementOrder;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Tests of columns in the bytes of records, without objects for numbers and texts. */
final class WireLeaves implements Leaves<WireRow> {
  private final RecordType<?> type;
  private final Map<ColumnSpec, Integer> slots;

  WireLeaves(RecordType<?> type, Map<ColumnSpec, Integer> slots) {
    this.type = type;
    this.slots = Map.copyOf(slots);
  }

  /** A test of one slot that is not null. */
  private abstract static class Known extends RowTest<WireRow> {
    final int slot;

    Known(int slot) {
      this.slot = slot;
    }

    @Override
    final int truth(WireRow row) {
      return row.isNull(slot) ? UNKNOWN : known(row);
    }

    abstract int known(WireRow row);
  }

  private int slot(ColumnSpec column) {
    return Objects.requireNonNull(slots.get(column));
  }

  private WireForm form(ColumnSpec column) {
    return WireForm.of(column.typeIn(type.spec()));
  }

  @Override
  public RowTest<WireRow> compare(ColumnSpec column, Comparison comparison, Object operand) {
    int slot = slot(column);
    return switch (form(column)) {
      case NUMBER -> new CompareNumber(slot, comparison, WireForm.number(operand));
      case SLICE ->
          comparison.isEquality()
              ? new EqualSlice(slot, comparison, WireForm.bytes(operand))
              : new CompareSlice(slot, comparison, WireForm.bytes(operand));
      case ELEMENT ->
          new Known(slot) {
            @Override
            int known(WireRow row) {
              return comparison.of(ElementOrder.compare(element(row, slot), operand));
            }
          };
    };
  }

  private static Object element(WireRow row, int slot) {
    return Objects.requireNonNull(row.object(slot));
  }

  @Override
  public RowTest<WireRow> in(ColumnSpec column, List<? extends @Nullable Object> operands) {
    int otherwise = operands.stream().anyMatch(Objects::isNull) ? RowTest.UNKNOWN : RowTest.FALSE;
    List<?> known = operands.stream().filter(Objects::nonNull).toList();
    int slot = slot(column);
    return switch (form(column)) {
      case NUMBER -> {
        long[] sorted = known.stream().mapToLong(WireForm::number).sorted().toArray();
        yield one(slot, otherwise, row -> Arrays.binarySearch(sorted, row.number(slot)) >= 0);
      }
      case SLICE -> {
        byte[][] sorted = known.stream().map(WireForm::bytes).toArray(byte[][]::new);
        Arrays.sort(sorted, Arrays::compareUnsigned);
        yield one(slot, otherwise, row -> isAmong(row, slot, sorted));
      }
      case ELEMENT -> {
        ElementLeaves.Operands all = new ElementLeaves.Operands(operands);
        yield one(slot, otherwise, row -> all.truth(element(row, slot)) == RowTest.TRUE);
      }
    };
  }

  private interface RowPredicate {
    boolean test(WireRow row);
  }

  private static RowTest<WireRow> one(int slot, int otherwise, RowPredicate isTrue) {
    return new Known(slot) {
      @Override
      int known(WireRow row) {
        return isTrue.test(row) ? TRUE : otherwise;
      }
    };
  }

  private static boolean isAmong(WireRow row, int slot, byte[][] sorted) {
    int low = 0;
    int high = sorted.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = row.compareSlice(slot, sorted[middle]);
      if (order == 0) {
        return true;
      }
      if (order < 0) {
        high = middle - 1;
      } else {
        low = middle + 1;
      }
    }
    return false;
  }

  @Override
  public RowTest<WireRow> isNull(ColumnSpec column) {
    int slot = slot(column);
    return new RowTest<>() {
      @Override
      int truth(WireRow row) {
        return truth(row.isNull(slot));
      }
    };
  }

  @Override
  public RowTest<WireRow> startsWith(ColumnSpec column, String prefix) {
    int slot = slot(column);
    byte[] bytes = WireForm.bytes(prefix);
    return one(slot, RowTest.FALSE, row -> row.sliceStartsWith(slot, bytes));
  }

  @Override
  public RowTest<WireRow> text(ColumnSpec column, Predicate<String> test) {
    int slot = slot(column);
    return one(slot, RowTest.FALSE, row -> test.test(row.text(slot)));
  }

  @Override
  public RowTest<WireRow> anyMatch(ColumnSpec column, Condition element, Bindings values) {
    int slot = slot(column);
    return RecordTests.any(
        row -> WireTests.collection(row, slot),
        RowTests.of(element, WireTests.ofElements(type, column), values));
  }

  private static final class CompareNumber extends Known {
    private final Comparison comparison;
    private final long operand;

    CompareNumber(int slot, Comparison comparison, long operand) {
      super(slot);
      this.comparison = comparison;
      this.operand = operand;
    }

    @Override
    int known(WireRow row) {
      return comparison.of(Long.compare(row.number(slot), operand));
    }
  }

  private static final class CompareSlice extends Known {
    private final Comparison comparison;
    private final byte[] operand;

    CompareSlice(int slot, Comparison comparison, byte[] operand) {
      super(slot);
      this.comparison = comparison;
      this.operand = operand;
    }

    @Override
    int known(WireRow row) {
      return comparison.of(row.compareSlice(slot, operand));
    }
  }

  private static final class EqualSlice extends Known {
    private final Comparison comparison;
    private final byte[] operand;

    EqualSlice(int slot, Comparison comparison, byte[] operand) {
      super(slot);
      this.comparison = comparison;
      this.operand = operand;
    }

    @Override
    int known(WireRow row) {
      return comparison.of(row.equalsSlice(slot, operand));
    }
  }
}
