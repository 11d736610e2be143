package dev.tidemark.records.internal.index;

/** How what an index holds follows from the records; so far can it be checked against them. */
public enum Contents {
  /** Each row among the entries belongs to one record: rows and records are compared. */
  ROWS,
  /** A row adds up what several records give: the records are counted anew, beside the index. */
  TOTALS,
  /** Rows tell of what was once: the records that there are now cannot confirm them. */
  HISTORY
}
