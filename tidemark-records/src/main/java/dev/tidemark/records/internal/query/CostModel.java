package dev.tidemark.records.internal.query;

/** Estimates what a plan does and what that costs. */
final class CostModel {
  private CostModel() {}
}
