package dev.tidemark.records.internal.keys;

import dev.tidemark.kv.Tuple;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Several columns of a record taken together. */
public final class Columns {
  private final List<ColumnReader> readers;
  private final boolean fansOut;

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

  /** The values of {@code record}: one row, or one for each combination of columns that fan out. */
  public List<@Nullable Object[]> rows(Object record) {
    if (!fansOut) {
      @Nullable Object[] row = new @Nullable Object[readers.size()];
      for (int i = 0; i < row.length; i++) {
        row[i] = readers.get(i).single(record);
      }
      return List.<@Nullable Object[]>of(row);
    }
    List<@Nullable Object[]> rows = new ArrayList<>();
    rows.add(new @Nullable Object[readers.size()]);
    for (int i = 0; i < readers.size(); i++) {
      rows = product(rows, i, readers.get(i).all(record));
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

  /** The values that the first elements of {@code key} stand for; as many as it has of them. */
  public List<@Nullable Object> values(Tuple key) {
    List<@Nullable Object> values = new ArrayList<>(readers.size() + 1);
    for (int i = 0; i < readers.size() && i < key.size(); i++) {
      values.add(readers.get(i).value(key.get(i)));
    }
    return values;
  }

  /** The names of the columns as a program writes them. */
  public List<String> names() {
    return readers.stream().map(ColumnReader::name).toList();
  }

  /** Whether {@code row} has null in {@code column}. */
  public boolean isNull(@Nullable Object[] row, int column) {
    return readers.get(column).isNull(row[column]);
  }

  /** The one row of columns that do not fan out. */
  public Tuple single(Object record) {
    return Tuple.of(rows(record).getFirst());
  }
}
