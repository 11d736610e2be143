package dev.tidemark.records.internal.store;

/** Writes that have been checked and only have to be made. */
@FunctionalInterface
interface Pending {
  /** Makes them. */
  void apply();
}
