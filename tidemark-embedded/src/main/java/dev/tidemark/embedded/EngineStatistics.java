package dev.tidemark.embedded;

import java.time.Duration;

/**
 * What an embedded database has done since it was opened, and what it holds.
 *
 * @param commits commits that wrote something
 * @param conflicts commits refused because of a conflict
 * @param tooOldCommits commits refused because their reads were too long ago
 * @param commitGroups groups in which commits went to the disk, with one sync each
 * @param largestGroup most commits in one group
 * @param groupTimeMedian time within which half of the groups were carried out
 * @param groupTime99 time within which 99 % of the groups were carried out
 * @param groupTimeMax the slowest group
 * @param openTransactions transactions that have not been closed
 * @param liveVersions versions that hold resources because a transaction may read them
 * @param watches watches that have neither fired nor been closed
 * @param cacheBytes memory in use for cached blocks
 * @param writeBufferBytes memory in use for recent writes
 * @param fileBytes size of the sorted files
 */
public record EngineStatistics(
    long commits,
    long conflicts,
    long tooOldCommits,
    long commitGroups,
    long largestGroup,
    Duration groupTimeMedian,
    Duration groupTime99,
    Duration groupTimeMax,
    long openTransactions,
    long liveVersions,
    long watches,
    long cacheBytes,
    long writeBufferBytes,
    long fileBytes) {
  /** Commits a group had on average. */
  public double meanGroupSize() {
    return commitGroups == 0 ? 0 : (double) commits / commitGroups;
  }
}
