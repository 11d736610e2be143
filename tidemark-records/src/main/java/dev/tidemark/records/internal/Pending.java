package dev.tidemark.records.internal;

/** Writes that have been checked and only have to be made. */
@FunctionalInterface
interface Pending {
  /** Makes them. */
  void apply();
}
