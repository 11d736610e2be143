package dev.tidemark.records.internal.index;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.RecordTooLargeException;
import dev.tidemark.records.internal.keys.ColumnNames;
import dev.tidemark.records.internal.keys.Columns;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds a whole number in a record that is too large for a key. */
public final class HugeNumbers {
  private HugeNumbers() {}

  /**
   * The exception for a record without entries in {@code index}; {@code failure} if the cause is
   * another one.
   */
  public static RuntimeException explain(
      RecordType<?> type,
      IndexSpec index,
      Object record,
      Tuple primaryKey,
      IllegalArgumentException failure) {
    List<ColumnSpec> columns = new ArrayList<>(index.columns());
    columns.addAll(index.covering());
    return find(
        type,
        columns,
        record,
        "The %s %s does not fit the index '%s'".formatted(type.name(), primaryKey, index.name()),
        "Save a smaller number, or disable the index; the record can be deleted",
        failure);
  }

  /**
   * The exception for a record without a primary key; {@code failure} if the cause is another one.
   */
  public static RuntimeException explainKey(
      RecordType<?> type, Object record, IllegalArgumentException failure) {
    return find(
        type,
        type.spec().primaryKey().stream().map(ColumnSpec::of).toList(),
        record,
        "A %s has no primary key that can be stored".formatted(type.name()),
        "Choose smaller numbers",
        failure);
  }

  private static RuntimeException find(
      RecordType<?> type,
      List<ColumnSpec> columns,
      Object record,
      String what,
      String advice,
      IllegalArgumentException failure) {
    for (ColumnSpec column : columns) {
      ColumnSpec ascending = new ColumnSpec(column.path(), false);
      for (@Nullable Object[] row : Columns.of(type, List.of(ascending)).rows(record)) {
        if (row[0] instanceof BigInteger number && KeyElements.isHuge(number)) {
          int bytes = number.abs().bitLength() / 8 + 1;
          return new RecordTooLargeException(
              "%s: its '%s' is a number of %,d bytes, and a key holds numbers of %,d. %s"
                  .formatted(
                      what,
                      ColumnNames.of(type.spec(), column),
                      bytes,
                      KeyElements.NUMBER_BYTES_MAX,
                      advice),
              bytes,
              KeyElements.NUMBER_BYTES_MAX);
        }
      }
    }
    return failure;
  }
}
