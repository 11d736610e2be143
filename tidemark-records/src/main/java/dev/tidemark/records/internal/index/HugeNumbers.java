package dev.tidemark.records.internal.index;

import dev.tidemark.kv.Tuple;
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

/** Finds the whole number in a record that a record can hold and a key cannot. */
public final class HugeNumbers {
  private HugeNumbers() {}

  /**
   * Why {@code record} has no entries in {@code index}; {@code failure} itself if it is another.
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

  /** Why {@code record} has no primary key; {@code failure} itself if it is something else. */
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
      for (@Nullable Object[] row : Columns.of(type, List.of(column)).rows(record)) {
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
