package dev.tidemark.records.maintenance;

import java.util.List;

/**
 * The result of one run of a {@link Scrubber}.
 *
 * @param scanned the number of records and rows that were compared
 * @param missing the number of missing entries
 * @param wrongValues the number of entries whose covering values differ from their records
 * @param dangling the number of rows that belong to no record
 * @param stale the number of rows whose records have other entries now
 * @param wrongTotals the number of groups whose total differs from that of their records
 * @param unfit the number of records that an index cannot hold; these are not repaired
 * @param repaired the number of errors that were repaired
 * @param findings the first of these errors
 * @param unchecked the indexes that were not checked, with the reasons: they describe the past,
 *     which records do not show, or they count a record that does not fit
 * @param complete whether this run completed the scrub; the next run starts again
 */
public record ScrubReport(
    long scanned,
    long missing,
    long wrongValues,
    long dangling,
    long stale,
    long wrongTotals,
    long unfit,
    long repaired,
    List<Finding> findings,
    List<Unchecked> unchecked,
    boolean complete) {
  /**
   * An index that cannot be checked.
   *
   * @param index its name
   * @param reason why it cannot
   */
  public record Unchecked(String index, String reason) {}

  /** Copies the lists. */
  public ScrubReport {
    findings = List.copyOf(findings);
    unchecked = List.copyOf(unchecked);
  }

  /** The number of errors. */
  public long wrong() {
    return missing + wrongValues + dangling + stale + wrongTotals + unfit;
  }
}
