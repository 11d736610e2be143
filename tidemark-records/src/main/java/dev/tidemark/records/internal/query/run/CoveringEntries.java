package dev.tidemark.records.internal.query.run;

import dev.tidemark.kv.KeyValue;
import dev.tidemark.records.internal.query.match.EntryRow;
import dev.tidemark.records.internal.query.match.RowTest;
import dev.tidemark.records.internal.query.scan.KeySource;
import org.jspecify.annotations.Nullable;

/** Finds entries that cover the query. */
final class CoveringEntries implements ScannedRows.Finder {
  private final KeySource source;
  private final EntryRow row;
  private final RowTest<EntryRow> test;

  /**
   * Finds the entries of {@code source} for which {@code test} holds.
   *
   * @param row what their columns are read with
   */
  CoveringEntries(KeySource source, EntryRow row, RowTest<EntryRow> test) {
    this.source = source;
    this.row = row;
    this.test = test;
  }

  @Override
  public boolean finds(KeyValue entry) {
    return test.holds(row.at(entry));
  }

  @Override
  public @Nullable Hit find(KeyValue entry) {
    return finds(entry) ? new Hit.Covering(entry, source, row) : null;
  }
}
