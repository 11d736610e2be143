package dev.tidemark.records.internal.keys;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A list of columns that are read together. */
public final class Columns {
  /** The largest number of combinations of a record; more fit no transaction. */
  public static final int COMBINATIONS_MAX = 1_000_000;

  private final List<ColumnReader> readers;
  private final boolean fansOut;

  /** Signals a record whose columns have more than {@link #COMBINATIONS_MAX} combinations. */
  public static final class TooManyCombinations extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final long count;

    private TooManyCombinations(long count) {
      super("A record has %,d combinations of the columns of an index".formatted(count));
      this.count = count;
    }

    /** The number of combinations. */
    public long count() {
      return count;
    }
  }

  private Columns(List<ColumnReader> readers) {
    this.readers = readers;
    this.fansOut = readers.stream().anyMatch(ColumnReader::fansOut);
  }

  public static Columns of(RecordType<?> type, List<ColumnSpec> specs) {
    return new Columns(specs.stream().map(spec -> ColumnReader.of(type, spec)).toList());
  }

  public int size() {
    return readers.size();
  }

  public ColumnReader get(int index) {
    return readers.get(index);
  }

  boolean fansOut() {
    return fansOut;
  }

  /**
   * The values of {@code record}: one row, or one for each combination of columns that fan out.
   *
   * @throws TooManyCombinations if there are more than {@link #COMBINATIONS_MAX}
   */
  public List<@Nullable Object[]> rows(Object record) {
    if (!fansOut) {
      @Nullable Object[] row = new @Nullable Object[readers.size()];
      for (int i = 0; i < row.length; i++) {
        row[i] = readers.get(i).single(record);
      }
      return List.<@Nullable Object[]>of(row);
    }
    List<List<@Nullable Object>> values = new ArrayList<>(readers.size());
    long combinations = 1;
    for (ColumnReader reader : readers) {
      List<@Nullable Object> all = reader.all(record);
      if (all.isEmpty()) {
        return List.of();
      }
      values.add(all);
      combinations =
          combinations > Long.MAX_VALUE / all.size() ? Long.MAX_VALUE : combinations * all.size();
    }
    if (combinations > COMBINATIONS_MAX) {
      throw new TooManyCombinations(combinations);
    }
    List<@Nullable Object[]> rows = new ArrayList<>();
    rows.add(new @Nullable Object[readers.size()]);
    for (int i = 0; i < readers.size(); i++) {
      rows = product(rows, i, values.get(i));
    }
    return rows;
  }

  private static List<@Nullable Object[]> product(
      List<@Nullable Object[]> rows, int column, List<@Nullable Object> values) {
    List<@Nullable Object[]> all = new ArrayList<>(rows.size() * values.size());
    for (@Nullable Object[] row : rows) {
      for (Object value : values) {
        @Nullable Object[] copy = row.clone();
        copy[column] = value;
        all.add(copy);
      }
    }
    return all;
  }

  /** The values of the first elements of {@code key}, for as many columns as it has. */
  public List<@Nullable Object> values(Tuple key) {
    List<@Nullable Object> values = new ArrayList<>(readers.size() + 1);
    for (int i = 0; i < readers.size() && i < key.size(); i++) {
      values.add(readers.get(i).value(key.get(i)));
    }
    return values;
  }

  /** The names of the columns as programs write them. */
  public List<String> names() {
    return readers.stream().map(ColumnReader::name).toList();
  }

  /** Whether {@code row} has null in {@code column}. */
  public boolean isNull(@Nullable Object[] row, int column) {
    return readers.get(column).isNull(row[column]);
  }

  /** The single row of columns that do not fan out. */
  public Tuple single(Object record) {
    return Tuple.of(rows(record).getFirst());
  }
}
