package dev.tidemark.records.internal.query.match;

import dev.tidemark.records.internal.query.plan.Route;
import dev.tidemark.records.internal.query.scan.KeyLayout;
import dev.tidemark.records.schema.ColumnSpec;
import java.util.List;

/** The columns of an entry of an index: those of its key, then those of its value. */
public final class EntryColumns {
  private final KeyLayout keys;
  private final List<ColumnSpec> covering;

  private EntryColumns(KeyLayout keys, List<ColumnSpec> covering) {
    this.keys = keys;
    this.covering = covering;
  }

  public static EntryColumns of(KeyLayout keys, Route route) {
    return new EntryColumns(keys, route.covering());
  }

  KeyLayout keys() {
    return keys;
  }

  int size() {
    return keys.width() + covering.size();
  }

  /** The place of {@code column}; negative if an entry does not have it. */
  public int place(ColumnSpec column) {
    int place = keys.place(column);
    for (int i = 0; place < 0 && i < covering.size(); i++) {
      place = covering.get(i).path().equals(column.path()) ? keys.width() + i : -1;
    }
    return place;
  }

  boolean isDescending(int place) {
    return place < keys.width()
        ? keys.isDescending(place)
        : covering.get(place - keys.width()).descending();
  }
}
