package dev.tidemark.embedded.internal;

import dev.tidemark.kv.KeyValue;
import java.util.ArrayList;
import java.util.List;

/** The rows of a portion, until there are enough of them. */
final class RowList {
  private final int rowsMax;
  private final int bytesMax;
  private final List<KeyValue> rows;
  private long bytes;

  /** Takes {@code rowsMax} rows, and none after the one with which {@code bytesMax} is reached. */
  RowList(int rowsMax, int bytesMax) {
    this.rowsMax = rowsMax;
    this.bytesMax = bytesMax;
    this.rows = new ArrayList<>(Math.min(rowsMax, 64));
  }

  void add(KeyValue row) {
    rows.add(row);
    bytes += row.key().size() + row.value().length;
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
