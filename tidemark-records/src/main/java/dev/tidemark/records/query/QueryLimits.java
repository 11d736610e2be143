package dev.tidemark.records.query;

import dev.tidemark.records.TooManyRecordsException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The limits at which a cursor stops with a continuation, and those for sorting in memory. The
 * first row that a cursor reads is free, so every cursor makes progress.
 *
 * <p>A query whose order no index provides has to read all rows before it returns the first. If it
 * reaches one of the limits before, there is no continuation, and it fails with a {@link
 * TooManyRecordsException} that names the limit and an index that would help.
 *
 * @param rows the largest number of results. Default unlimited
 * @param scannedRows the largest number of entries or records that it reads. Default unlimited
 * @param scannedBytes how many bytes of keys and values it reads; checked after each row, so the
 *     last row may exceed it. Records that an index leads to are loaded in portions of 8 to 256,
 *     and the last portion may exceed it. Default unlimited
 * @param time how long it runs; checked between rows. Default unlimited
 * @param sortedRows how many rows it keeps in memory to sort them; a query that needs more fails,
 *     because a truncated result would be wrong. Default 100,000
 * @param sortedBytes roughly how many bytes these rows may occupy. Default 64 MiB
 */
public record QueryLimits(
    OptionalLong rows,
    OptionalLong scannedRows,
    OptionalLong scannedBytes,
    Optional<Duration> time,
    int sortedRows,
    long sortedBytes) {
  /** No limits but those for sorting. */
  public static final QueryLimits NONE =
      new QueryLimits(
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          Optional.empty(),
          100_000,
          64L << 20);

  /** Checks the limits. */
  public QueryLimits {
    long least =
        Math.min(
            Math.min(rows.orElse(1), scannedRows.orElse(1)),
            Math.min(scannedBytes.orElse(1), Math.min(sortedRows, sortedBytes)));
    if (least < 1 || !time.map(Duration::isPositive).orElse(true)) {
      throw new IllegalArgumentException(
          ("Limits must be positive: rows=%s scannedRows=%s scannedBytes=%s time=%s sortedRows=%,d"
                  + " sortedBytes=%,d")
              .formatted(rows, scannedRows, scannedBytes, time, sortedRows, sortedBytes));
    }
  }

  /** These limits with another number of results. */
  public QueryLimits withRows(long most) {
    return new QueryLimits(
        OptionalLong.of(most), scannedRows, scannedBytes, time, sortedRows, sortedBytes);
  }

  /** These limits with another number of rows to look at. */
  public QueryLimits withScannedRows(long most) {
    return new QueryLimits(
        rows, OptionalLong.of(most), scannedBytes, time, sortedRows, sortedBytes);
  }

  /** These limits with another number of bytes to look at. */
  public QueryLimits withScannedBytes(long most) {
    return new QueryLimits(rows, scannedRows, OptionalLong.of(most), time, sortedRows, sortedBytes);
  }

  /** These limits with another time to go on. */
  public QueryLimits withTime(Duration most) {
    return new QueryLimits(
        rows, scannedRows, scannedBytes, Optional.of(most), sortedRows, sortedBytes);
  }

  /** These limits with other bounds for what is sorted in memory. */
  public QueryLimits withSorted(int mostRows, long mostBytes) {
    return new QueryLimits(rows, scannedRows, scannedBytes, time, mostRows, mostBytes);
  }
}
