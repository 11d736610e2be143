package dev.tidemark.loader;

import java.time.Duration;

/**
 * What a loader has done since it was opened, over all runs.
 *
 * @param pulled deliveries taken from the source
 * @param merged deliveries stored and acknowledged
 * @param duplicates deliveries replaced by a later publication in their batch
 * @param ignored deliveries without a row
 * @param dead dead letters
 * @param nacked deliveries given back
 * @param nackedForTime those of them for which there was no time
 * @param acksLost acknowledgements that came too late or failed
 * @param extensions leases renewed
 * @param batches merges stored
 * @param rows rows in them
 * @param bytes memory of the messages pulled
 * @param retries merges tried again
 * @param halvings batches halved for their data
 * @param unknown merges whose outcome had to be settled by their id
 * @param breakerOpened how often the circuit breaker opened
 * @param pullFailures pulls that failed
 * @param buffered deliveries in memory now, waiting
 * @param inFlight deliveries in a batch now
 * @param mergeTime time spent merging
 * @param mergeTimeMedian half of the merges took no longer, within an eighth
 * @param mergeTime99 99 of 100 merges took no longer, within an eighth
 * @param mergeTimeMax the longest merge
 */
public record LoaderStatistics(
    long pulled,
    long merged,
    long duplicates,
    long ignored,
    long dead,
    long nacked,
    long nackedForTime,
    long acksLost,
    long extensions,
    long batches,
    long rows,
    long bytes,
    long retries,
    long halvings,
    long unknown,
    long breakerOpened,
    long pullFailures,
    int buffered,
    int inFlight,
    Duration mergeTime,
    Duration mergeTimeMedian,
    Duration mergeTime99,
    Duration mergeTimeMax) {}
