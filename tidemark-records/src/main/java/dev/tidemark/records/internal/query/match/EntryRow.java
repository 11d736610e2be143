package dev.tidemark.records.internal.query.match;

import dev.tidemark.kv.KeyValue;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.query.scan.Packed;
import org.jspecify.annotations.Nullable;

/**
 * A reusable view of an entry of an index, with its columns as packed bytes or as elements. One
 * object serves all entries of a scan.
 */
public final class EntryRow {
  private final EntryColumns columns;
  private final int keyColumns;
  private final int prefix;
  private final int[] ends;
  private byte[] key = {};
  private byte[] value = {};

  /** The numbers of known {@link #ends}, of the key and of the value. */
  private int keyKnown;

  private int valueKnown;

  public EntryRow(EntryColumns columns) {
    this.columns = columns;
    this.keyColumns = columns.keys().width();
    this.prefix = columns.keys().prefix().size();
    this.ends = new int[columns.size()];
  }

  /** The columns that entries have. */
  public EntryColumns columns() {
    return columns;
  }

  /** Moves the view to {@code row}. */
  public EntryRow at(KeyValue row) {
    key = row.key().unsafeBytes();
    value = row.value();
    keyKnown = 0;
    valueKnown = keyColumns;
    return this;
  }

  /** The array that the column at {@code place} is in. */
  byte[] bytes(int place) {
    return place < keyColumns ? key : value;
  }

  /** The end of the column in that array. */
  int end(int place) {
    if (place < keyColumns) {
      while (keyKnown <= place) {
        ends[keyKnown] = Packed.end(key, keyKnown == 0 ? prefix : ends[keyKnown - 1]);
        keyKnown++;
      }
    } else {
      while (valueKnown <= place) {
        ends[valueKnown] = Packed.end(value, valueKnown == keyColumns ? 0 : ends[valueKnown - 1]);
        valueKnown++;
      }
    }
    return ends[place];
  }

  /** The begin of the column in that array. */
  int start(int place) {
    if (place == 0) {
      return prefix;
    }
    return place == keyColumns ? 0 : end(place - 1);
  }

  /** The element of the column at {@code place}, as an ascending column has it. */
  public @Nullable Object element(int place) {
    Object element = Packed.element(bytes(place), start(place), end(place));
    return columns.isDescending(place) && element instanceof byte[] inverted
        ? KeyElements.ascending(inverted)
        : element;
  }
}
