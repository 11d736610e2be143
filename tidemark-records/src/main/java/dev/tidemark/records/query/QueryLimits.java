package dev.tidemark.records.query;

import dev.tidemark.kv.UsageException;
import dev.tidemark.records.TooManyRecordsException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The limits at which a cursor stops with a continuation, and those for sorting in memory. The
 * first row that a cursor reads is free, so every cursor makes progress.
 *
 * <p>A query that no index gives its order has to look at all rows before the first one comes. If
 * it meets one of the limits before that, there is no place to go on from, and it fails with a
 * {@link TooManyRecordsException} that names the limit and an index that would help.
 */
public final class QueryLimits {
  /** No limits but those for sorting. */
  public static final QueryLimits NONE =
      new QueryLimits(
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          Optional.empty(),
          100_000,
          64L << 20);

  private final OptionalLong rows;
  private final OptionalLong scannedRows;
  private final OptionalLong scannedBytes;
  private final Optional<Duration> time;
  private final int sortedRows;
  private final long sortedBytes;

  private QueryLimits(
      OptionalLong rows,
      OptionalLong scannedRows,
      OptionalLong scannedBytes,
      Optional<Duration> time,
      int sortedRows,
      long sortedBytes) {
    long least =
        Math.min(
            Math.min(rows.orElse(1), scannedRows.orElse(1)),
            Math.min(scannedBytes.orElse(1), Math.min(sortedRows, sortedBytes)));
    if (least < 1 || !time.map(Duration::isPositive).orElse(true)) {
      throw UsageException.invalidOption(
          ("Limits must be positive: rows=%s scannedRows=%s scannedBytes=%s time=%s sortedRows=%,d"
                  + " sortedBytes=%,d")
              .formatted(rows, scannedRows, scannedBytes, time, sortedRows, sortedBytes));
    }
    this.rows = rows;
    this.scannedRows = scannedRows;
    this.scannedBytes = scannedBytes;
    this.time = time;
    this.sortedRows = sortedRows;
    this.sortedBytes = sortedBytes;
  }

  /** How many results it gives. Default as many as there are. */
  public OptionalLong rows() {
    return rows;
  }

  /** How many entries or records it looks at. Default as many as there are. */
  public OptionalLong scannedRows() {
    return scannedRows;
  }

  /**
   * How many bytes of keys and values it looks at; checked after each row, so the last one may go
   * beyond. Records that an index leads to are loaded in portions, 8 at first and 256 at most, and
   * the last portion may go beyond. Default as many as there are.
   */
  public OptionalLong scannedBytes() {
    return scannedBytes;
  }

  /** How long it goes on; checked between rows. Default no limit. */
  public Optional<Duration> time() {
    return time;
  }

  /**
   * How many rows it keeps in memory to sort them; a query that needs more fails, for an answer
   * that is cut off would be wrong. Default 100,000.
   */
  public int sortedRows() {
    return sortedRows;
  }

  /** Roughly how many bytes these rows may take. Default 64 MiB. */
  public long sortedBytes() {
    return sortedBytes;
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

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof QueryLimits that
        && Objects.equals(rows, that.rows)
        && Objects.equals(scannedRows, that.scannedRows)
        && Objects.equals(scannedBytes, that.scannedBytes)
        && Objects.equals(time, that.time)
        && sortedRows == that.sortedRows
        && sortedBytes == that.sortedBytes;
  }

  @Override
  public int hashCode() {
    return Objects.hash(rows, scannedRows, scannedBytes, time, sortedRows, sortedBytes);
  }

  @Override
  public String toString() {
    return "QueryLimits["
        + "rows="
        + rows
        + ", scannedRows="
        + scannedRows
        + ", scannedBytes="
        + scannedBytes
        + ", time="
        + time
        + ", sortedRows="
        + sortedRows
        + ", sortedBytes="
        + sortedBytes
        + "]";
  }
}
