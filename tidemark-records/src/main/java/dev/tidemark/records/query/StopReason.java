package dev.tidemark.records.query;

/** Why a cursor has no further results. */
public enum StopReason {
  /** All results were taken, or as many as the limit of the query. */
  EXHAUSTED,
  /** As many as {@link QueryLimits#rows} allows have been taken. */
  ROW_LIMIT,
  /** As many rows as {@link QueryLimits#scannedRows} allows have been read. */
  SCAN_LIMIT,
  /** As many bytes as {@link QueryLimits#scannedBytes} allows have been read. */
  BYTE_LIMIT,
  /** The time that {@link QueryLimits#time} allows has passed. */
  TIME_LIMIT
}
