package dev.tidemark.loader.internal.engine;

/** When a run ends by itself. */
public enum RunMode {
  /** When the source is empty, or the budget is used. */
  UNTIL_EMPTY,
  /** When the budget is used. */
  UNTIL_BUDGET,
  /** Never. */
  FOR_EVER
}
