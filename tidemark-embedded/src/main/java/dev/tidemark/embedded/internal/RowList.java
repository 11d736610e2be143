package dev.tidemark.embedded.internal;

import dev.tidemark.kv.KeyValue;
import java.util.ArrayList;
import java.util.List;

/** The rows of a portion, until there are enough of them. */
final class RowList {
  private final int rowsMax;
  private final int bytesMax;
  private final boolean shared;
  private final List<KeyValue> rows;
  private long bytes;

  /** Takes {@code rowsMax} rows, and none after the one with which {@code bytesMax} is reached. */
  RowList(int rowsMax, int bytesMax) {
    this(rowsMax, bytesMax, false);
  }

  /** The same; with {@code shared}, rows that others have too are taken as they are. */
  RowList(int rowsMax, int bytesMax, boolean shared) {
    this.rowsMax = rowsMax;
    this.bytesMax = bytesMax;
    this.shared = shared;
    this.rows = new ArrayList<>(Math.min(rowsMax, 64));
  }

  void add(KeyValue row) {
    rows.add(row);
    bytes += row.key().size() + row.value().length;
  }

  /** Adds a row that others have too. Their values are not this reader's to change. */
  void addKept(KeyValue row) {
    add(shared ? row : Stretch.copyOf(row));
  }

  boolean isFull() {
    return rows.size() >= rowsMax || bytes >= bytesMax;
  }

  int rowsLeft() {
    return rowsMax - rows.size();
  }

  int bytesLeft() {
    return (int) (bytesMax - bytes);
  }

  List<KeyValue> rows() {
    return rows;
  }
}
