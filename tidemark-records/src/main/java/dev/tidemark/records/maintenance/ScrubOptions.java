package dev.tidemark.records.maintenance;

import dev.tidemark.kv.UsageException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a {@link Scrubber} does. */
public final class ScrubOptions {
  /** What applies where nothing else is said. */
  public static final ScrubOptions DEFAULTS =
      new ScrubOptions(List.of(), Mode.REPORT, 1_000, Long.MAX_VALUE, 1_000);

  /** What to do with errors. */
  public enum Mode {
    /** Report them. */
    REPORT,
    /** Report and repair them. */
    REPAIR
  }

  private final List<String> indexes;
  private final Mode mode;
  private final int rowsPerTransaction;
  private final long rowsMax;
  private final int findingsMax;

  private ScrubOptions(
      List<String> indexes, Mode mode, int rowsPerTransaction, long rowsMax, int findingsMax) {
    indexes = List.copyOf(indexes);
    if (rowsPerTransaction < 1 || rowsMax < 1 || findingsMax < 0) {
      throw UsageException.invalidOption(
          "rowsPerTransaction is %,d, rowsMax %,d, findingsMax %,d; the first two must be positive, the third not negative"
              .formatted(rowsPerTransaction, rowsMax, findingsMax));
    }
    this.indexes = indexes;
    this.mode = mode;
    this.rowsPerTransaction = rowsPerTransaction;
    this.rowsMax = rowsMax;
    this.findingsMax = findingsMax;
  }

  /** The names of the indexes to check. Default all that can be checked and are readable. */
  public List<String> indexes() {
    return indexes;
  }

  /** Whether to repair what is wrong. Default no. */
  public Mode mode() {
    return mode;
  }

  /** Most records or rows that one transaction looks at. Default 1,000. */
  public int rowsPerTransaction() {
    return rowsPerTransaction;
  }

  /**
   * Most records and rows that one run looks at, to the next full transaction; the next run goes on
   * from there. Default no limit.
   */
  public long rowsMax() {
    return rowsMax;
  }

  /** Most findings that a report lists; all are counted. Default 1,000. */
  public int findingsMax() {
    return findingsMax;
  }

  /** These options for some indexes only. */
  public ScrubOptions withIndexes(String... names) {
    return new ScrubOptions(List.of(names), mode, rowsPerTransaction, rowsMax, findingsMax);
  }

  /** These options in another mode. */
  public ScrubOptions withMode(Mode other) {
    return new ScrubOptions(indexes, other, rowsPerTransaction, rowsMax, findingsMax);
  }

  /** These options with another number of rows a transaction. */
  public ScrubOptions withRowsPerTransaction(int rows) {
    return new ScrubOptions(indexes, mode, rows, rowsMax, findingsMax);
  }

  /** These options with another number of rows a run. */
  public ScrubOptions withRowsMax(long rows) {
    return new ScrubOptions(indexes, mode, rowsPerTransaction, rows, findingsMax);
  }

  /** These options with another number of findings to list. */
  public ScrubOptions withFindingsMax(int findings) {
    return new ScrubOptions(indexes, mode, rowsPerTransaction, rowsMax, findings);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ScrubOptions that
        && Objects.equals(indexes, that.indexes)
        && Objects.equals(mode, that.mode)
        && rowsPerTransaction == that.rowsPerTransaction
        && rowsMax == that.rowsMax
        && findingsMax == that.findingsMax;
  }

  @Override
  public int hashCode() {
    return Objects.hash(indexes, mode, rowsPerTransaction, rowsMax, findingsMax);
  }

  @Override
  public String toString() {
    return "ScrubOptions["
        + "indexes="
        + indexes
        + ", mode="
        + mode
        + ", rowsPerTransaction="
        + rowsPerTransaction
        + ", rowsMax="
        + rowsMax
        + ", findingsMax="
        + findingsMax
        + "]";
  }
}
