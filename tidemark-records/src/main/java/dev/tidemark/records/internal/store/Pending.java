package dev.tidemark.records.internal.store;

/** Checked writes that only have to be applied. */
@FunctionalInterface
interface Pending {
  /** Applies the writes. */
  void apply();
}
