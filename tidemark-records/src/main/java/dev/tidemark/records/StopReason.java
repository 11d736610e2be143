package dev.tidemark.records;

/** Why a cursor has no further results. */
public enum StopReason {
  /** There are none. */
  EXHAUSTED,
  /** As many as the query or its limits allow have been taken. */
  ROW_LIMIT,
  /** As many rows as the limits allow have been looked at. */
  SCAN_LIMIT,
  /** As many bytes as the limits allow have been looked at. */
  BYTE_LIMIT,
  /** The time that the limits allow is over. */
  TIME_LIMIT
}
