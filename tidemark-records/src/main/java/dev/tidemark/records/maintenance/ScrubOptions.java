package dev.tidemark.records.maintenance;

import java.util.List;

/**
 * What a {@link Scrubber} does.
 *
 * @param indexes the names of the indexes to check. Default all that can be checked and are
 *     readable
 * @param mode whether to repair what is wrong. Default no
 * @param rowsPerTransaction most records or rows that one transaction looks at. Default 1,000
 * @param rowsMax most records and rows that one run looks at, to the next full transaction; the
 *     next run goes on from there. Default no limit
 * @param findingsMax most findings that a report lists; all are counted. Default 1,000
 */
public record ScrubOptions(
    List<String> indexes, Mode mode, int rowsPerTransaction, long rowsMax, int findingsMax) {
  /** What applies where nothing else is said. */
  public static final ScrubOptions DEFAULTS =
      new ScrubOptions(List.of(), Mode.REPORT, 1_000, Long.MAX_VALUE, 1_000);

  /** What to do with what is wrong. */
  public enum Mode {
    /** Say so. */
    REPORT,
    /** Say so, and put it right. */
    REPAIR
  }

  /** Refuses values that make no sense. */
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
