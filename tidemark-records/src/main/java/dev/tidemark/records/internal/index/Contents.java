package dev.tidemark.records.internal.index;

/** How the rows of an index derive from the records, and so how a scrub checks them. */
public enum Contents {
  /** Each row belongs to one record: rows and records are compared. */
  ROWS,
  /** A row is a total of several records: the records are counted into a copy of the index. */
  TOTALS,
  /** Rows describe the past, which the present records cannot confirm. */
  HISTORY
}
