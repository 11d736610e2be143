package dev.tidemark.records.internal.query.match;

import dev.tidemark.records.codec.RecordCodec;
import dev.tidemark.records.internal.keys.ColumnReader;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.query.condition.Bindings;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.TypeSpec;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The compiled test of a condition on records. Made once for a plan and shared by all executions.
 */
public final class RecordTests {
  private final Condition condition;
  private final Leaves<Object> leaves;

  private RecordTests(Condition condition, Leaves<Object> leaves) {
    this.condition = condition;
    this.leaves = leaves;
  }

  /** Compiles {@code condition} for records of {@code type}. */
  public static RecordTests of(RecordType<?> type, Condition condition) {
    return new RecordTests(condition, new OfRecord(type));
  }

  /** The test with the values of one call. */
  public RowTest<Object> with(Bindings values) {
    return RowTests.of(condition, leaves, values);
  }

  /** Whether the condition is true without a record, when all columns are null. */
  public boolean holdOfNothing(Bindings values) {
    return RowTests.of(condition, new OfNothing(), values).holds(condition);
  }

  /** Tests of the elements of {@code column}, which fans out, in records of {@code type}. */
  static Leaves<Object> ofElements(RecordType<?> type, ColumnSpec column) {
    if (!(column.typeIn(type.spec()) instanceof FieldType.Nested nested)) {
      return new OfValue(column.typeIn(type.spec()));
    }
    RecordCodec<?> codec = type.codec();
    for (ColumnSpec.Step step : column.path()) {
      codec = codec.nested(step.field());
    }
    return new OfRecord(nested(nested, codec));
  }

  /** The type of nested records. */
  static <N> RecordType<N> nested(FieldType.Nested type, RecordCodec<N> codec) {
    @SuppressWarnings("unchecked") // the class of a nested record is not used
    Class<N> unknown = (Class<N>) Object.class;
    return new RecordType<>(TypeSpec.of(type.name(), type.fields(), List.of()), unknown, codec);
  }

  /** Whether one of the elements that {@code elements} gives passes {@code test}. */
  static <S> RowTest<S> any(Function<S, @Nullable Collection<?>> elements, RowTest<Object> test) {
    return new RowTest<>() {
      @Override
      int truth(S row) {
        Collection<?> all = elements.apply(row);
        if (all == null) {
          return UNKNOWN;
        }
        int any = FALSE;
        for (Object element : all) {
          int one = test.truth(element);
          if (one == TRUE) {
            return TRUE;
          }
          any = Math.max(any, one);
        }
        return any;
      }
    };
  }

  /** Columns of whole records, or of nested ones. */
  private static final class OfRecord extends ElementLeaves<Object> {
    private final RecordType<?> type;
    private final Map<ColumnSpec, ColumnReader> readers = new ConcurrentHashMap<>();
    private final Map<ColumnSpec, Leaves<Object>> elements = new ConcurrentHashMap<>();

    OfRecord(RecordType<?> type) {
      this.type = type;
    }

    @Override
    Function<Object, @Nullable Object> reader(ColumnSpec column) {
      return columnReader(column)::single;
    }

    private ColumnReader columnReader(ColumnSpec column) {
      return readers.computeIfAbsent(column, one -> ColumnReader.of(type, one));
    }

    @Override
    public RowTest<Object> anyMatch(ColumnSpec column, Condition element, Bindings values) {
      Leaves<Object> inner = elements.computeIfAbsent(column, one -> ofElements(type, one));
      return any(columnReader(column)::collection, RowTests.of(element, inner, values));
    }
  }

  /** Nulls, whatever the row is. */
  private static final class OfNothing extends ElementLeaves<Object> {
    @Override
    Function<Object, @Nullable Object> reader(ColumnSpec column) {
      return row -> null;
    }

    @Override
    public RowTest<Object> anyMatch(ColumnSpec column, Condition element, Bindings values) {
      return new RowTests.Fixed<>(RowTest.UNKNOWN);
    }
  }

  /** An element that is a plain value. */
  private static final class OfValue extends ElementLeaves<Object> {
    private final FieldType type;

    OfValue(FieldType type) {
      this.type = type;
    }

    @Override
    Function<Object, @Nullable Object> reader(ColumnSpec column) {
      return value -> KeyElements.element(type, value);
    }

    @Override
    public RowTest<Object> anyMatch(ColumnSpec column, Condition element, Bindings values) {
      throw new IllegalArgumentException("A plain value has no elements");
    }
  }
}
