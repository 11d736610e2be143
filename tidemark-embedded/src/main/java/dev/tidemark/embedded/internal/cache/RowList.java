package dev.tidemark.embedded.internal.cache;

import dev.tidemark.kv.KeyValue;
import java.util.ArrayList;
import java.util.List;

/** The rows of a portion, until there are enough of them. */
public final class RowList {
  private final int rowsMax;
  private final int bytesMax;
  private final boolean shared;
  private final List<KeyValue> rows;
  private long bytes;

  /** Takes {@code rowsMax} rows, and none after the one with which {@code bytesMax} is reached. */
  public RowList(int rowsMax, int bytesMax) {
    this(rowsMax, bytesMax, false);
  }

  /** The same; with {@code shared}, rows that others have too are taken as they are. */
  RowList(int rowsMax, int bytesMax, boolean shared) {
    this.rowsMax = rowsMax;
    this.bytesMax = bytesMax;
    this.shared = shared;
    this.rows = new ArrayList<>(Math.min(rowsMax, 64));
  }

  public void add(KeyValue row) {
    rows.add(row);
    bytes += row.key().size() + row.value().length;
  }

  /** Adds a row that other readers share. Its value must not be changed. */
  void addKept(KeyValue row) {
    add(shared ? row : Stretch.copyOf(row));
  }

  public boolean isFull() {
    return rows.size() >= rowsMax || bytes >= bytesMax;
  }

  int rowsLeft() {
    return rowsMax - rows.size();
  }

  int bytesLeft() {
    return (int) (bytesMax - bytes);
  }

  public List<KeyValue> rows() {
    return rows;
  }
}
