package dev.tidemark.records.maintenance;

import java.util.List;

/**
 * The options of a {@link Scrubber}.
 *
 * @param indexes the names of the indexes to check. Default all readable indexes
 * @param mode whether to repair errors. Default no
 * @param rowsPerTransaction the largest number of records or rows of one transaction. Default 1,000
 * @param rowsMax the largest number of records and rows of one run, rounded up to a full
 *     transaction; the next run resumes there. Default unlimited
 * @param findingsMax the largest number of findings that a report lists; all are counted. Default
 *     1,000
 */
public record ScrubOptions(
    List<String> indexes, Mode mode, int rowsPerTransaction, long rowsMax, int findingsMax) {
  /** The default options. */
  public static final ScrubOptions DEFAULTS =
      new ScrubOptions(List.of(), Mode.REPORT, 1_000, Long.MAX_VALUE, 1_000);

  /** What to do with errors. */
  public enum Mode {
    /** Report them. */
    REPORT,
    /** Report and repair them. */
    REPAIR
  }

  /** Checks the values. */
  public ScrubOptions {
    indexes = List.copyOf(indexes);
    if (rowsPerTransaction < 1 || rowsMax < 1 || findingsMax < 0) {
      throw new IllegalArgumentException(
          "rowsPerTransaction is %,d, rowsMax %,d, findingsMax %,d; the first two must be positive, the third not negative"
              .formatted(rowsPerTransaction, rowsMax, findingsMax));
    }
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
}
