package dev.tidemark.changes.internal.engine;

import dev.tidemark.changes.ReaderOptions;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Partitions that nobody claims, though they could be. Each process takes no more than its share at
 * first; but another one may have no place for its own, or may not read these partitions. What has
 * been left for a while is taken beyond the share, and kept for as long as the processes are the
 * same. Used by the ticking thread.
 */
final class Unclaimed {
  private static final int LOOKS = 10;
  private static final int LEASE_PARTS = 10;

  private final ReaderOptions options;
  private final long patienceNanos;

  /** When each was seen first. */
  private final Map<String, Long> seenNanos = new HashMap<>();

  /** The processes that left each to this one. */
  private final Map<String, Set<String>> leftBy = new HashMap<>();

  Unclaimed(ReaderOptions options) {
    this.options = options;
    this.patienceNanos =
        Math.max(
            options.detectionInterval().toNanos() * LOOKS, options.lease().toNanos() / LEASE_PARTS);
  }

  /**
   * Those of {@code startable} that have been left for a while by {@code members}.
   *
   * @param claimed partitions that this process reads
   */
  List<String> since(Collection<String> startable, Set<String> claimed, Set<String> members) {
    long now = options.time().nanos();
    List<String> left = startable.stream().filter(token -> !claimed.contains(token)).toList();
    seenNanos.keySet().retainAll(left);
    left.forEach(token -> seenNanos.putIfAbsent(token, now));
    List<String> forLong =
        left.stream()
            .filter(token -> now - seenNanos.getOrDefault(token, now) >= patienceNanos)
            .toList();
    leftBy.keySet().retainAll(claimed);
    forLong.forEach(token -> leftBy.put(token, members));
    return forLong;
  }

  /** Whether {@code members} have left {@code token} to this process. */
  boolean isLeftTo(String token, Set<String> members) {
    return members.equals(leftBy.get(token));
  }
}
