package dev.tidemark.pulse;

/**
 * Numbers of one copy of a {@link ReplicatedMap} at one moment. They are counted in memory, from
 * the moment it was joined; no store is asked.
 *
 * @param entries keys that the copy has
 * @param changes changes that the copy has seen: keys that were set or deleted, and resets. The
 *     keys that it found when it was joined count as set
 * @param loads how often the copy was loaded whole: when it was joined, and whenever it had missed
 *     something
 */
public record MapStatistics(int entries, long changes, long loads) {}
