package dev.tidemark.records.maintenance;

import java.util.List;

/**
 * What one run of a {@link Scrubber} found.
 *
 * @param scanned how many records and rows it looked at
 * @param missing how many entries records lack
 * @param wrongValues how many entries have other covering values than their records
 * @param dangling how many rows belong to no record
 * @param stale how many rows belong to records that give other entries by now
 * @param wrongTotals how many groups have another total than their records
 * @param unfit how many records an index cannot take; these are not repaired
 * @param repaired how many of these were put right
 * @param findings the first of these one by one
 * @param unchecked indexes that were left out with the reason for each: they tell of the past, of
 *     which records keep nothing, or they count a record that does not fit
 * @param complete whether with this run all has been looked at; the next run begins again
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

  /** How much was wrong. */
  public long wrong() {
    return missing + wrongValues + dangling + stale + wrongTotals + unfit;
  }
}
