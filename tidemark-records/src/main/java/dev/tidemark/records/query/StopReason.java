package dev.tidemark.records.query;

/** Why a cursor has no further results. */
public enum StopReason {
  /** There are none, or the query wants no more than it had. */
  EXHAUSTED,
  /** As many as {@link QueryLimits#rows} allows have been taken. */
  ROW_LIMIT,
  /** As many rows as {@link QueryLimits#scannedRows} allows have been looked at. */
  SCAN_LIMIT,
  /** As many bytes as {@link QueryLimits#scannedBytes} allows have been looked at. */
  BYTE_LIMIT,
  /** The time that {@link QueryLimits#time} allows is over. */
  TIME_LIMIT
}
