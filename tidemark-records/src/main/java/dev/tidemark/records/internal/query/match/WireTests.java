package dev.tidemark.records.internal.query.match;

import dev.tidemark.records.codec.RecordReader;
import dev.tidemark.records.internal.query.condition.Bindings;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.ConditionColumns;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.RecordType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The compiled test of a condition on the bytes of records, without decoding them. Made once for a
 * plan and shared by all executions.
 */
public final class WireTests {
  private final Condition condition;
  private final WireMessage message;
  private final WireLeaves leaves;
  private final int slots;

  private WireTests(Condition condition, WireMessage message, WireLeaves leaves, int slots) {
    this.condition = condition;
    this.message = message;
    this.leaves = leaves;
    this.slots = slots;
  }

  /**
   * Compiles {@code condition} for the bytes of records of {@code type}. Empty if the class refuses
   * the empty record, from which the values of absent fields are taken.
   */
  public static Optional<WireTests> of(RecordType<?> type, Condition condition) {
    Set<ColumnSpec> columns = new LinkedHashSet<>(ConditionColumns.single(condition));
    columns.addAll(ConditionColumns.fannedOut(condition));
    List<WireMessage.Wanted> wanted = new ArrayList<>();
    Map<ColumnSpec, Integer> slots = new HashMap<>();
    for (ColumnSpec column : columns) {
      slots.put(column, wanted.size());
      wanted.add(new WireMessage.Wanted(column.path(), wanted.size()));
    }
    try {
      WireMessage message = new WireMessage(type, wanted, wanted.size());
      return Optional.of(
          new WireTests(condition, message, new WireLeaves(type, slots), wanted.size()));
    } catch (RuntimeException refused) {
      return Optional.empty();
    }
  }

  /** The test with the values of one call. */
  public WireTest with(Bindings values) {
    return new WireTest(RowTests.of(condition, leaves, values));
  }

  /** The condition with its values. Used by one thread. */
  public final class WireTest {
    private final RowTest<WireRow> test;
    private final WireRow row = new WireRow(slots);

    private WireTest(RowTest<WireRow> test) {
      this.test = test;
    }

    /** Whether the condition is true for the record in {@code length} of {@code bytes}. */
    public boolean holds(byte[] bytes, int offset, int length) {
      message.read(new RecordReader(bytes, offset, length), bytes, row);
      return test.holds(row);
    }
  }

  /** Tests of elements of collections that are plain values, which come as elements of keys. */
  static final class PlainElements extends ElementLeaves<Object> {
    @Override
    Function<Object, @Nullable Object> reader(ColumnSpec column) {
      return element -> element;
    }

    @Override
    public RowTest<Object> anyMatch(ColumnSpec column, Condition element, Bindings values) {
      throw new IllegalArgumentException("A plain value has no elements");
    }
  }

  static Leaves<Object> ofElements(RecordType<?> type, ColumnSpec column) {
    return column.typeIn(type.spec()) instanceof FieldType.Nested
        ? RecordTests.ofElements(type, column)
        : new PlainElements();
  }

  static @Nullable Collection<?> collection(WireRow row, int slot) {
    return (Collection<?>) row.object(slot);
  }
}
