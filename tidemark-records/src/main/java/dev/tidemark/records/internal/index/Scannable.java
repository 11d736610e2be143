package dev.tidemark.records.internal.index;

/** An index with an entry for each record, or for each combination of its values. */
public sealed interface Scannable
    permits ExtremumMaintainer, RankMaintainer, ValueMaintainer, VersionMaintainer {
  /** What the keys of its entries are made of. */
  EntryLayout layout();
}
