package dev.tidemark.records.internal;

/** An index with an entry for each record, or for each combination of its values. */
sealed interface Scannable
    permits ExtremumMaintainer, RankMaintainer, ValueMaintainer, VersionMaintainer {
  /** What the keys of its entries are made of. */
  EntryLayout layout();
}
