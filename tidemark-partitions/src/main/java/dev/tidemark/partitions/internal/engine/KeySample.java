package dev.tidemark.partitions.internal.engine;

import dev.tidemark.kv.Key;
import dev.tidemark.partitions.PartitionRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A sample of the keys of the latest requests, from which the key in the middle of the load is
 * estimated. Used by the thread that has the turn.
 */
final class KeySample {
  private static final int SIZE = 512;
  private static final int ONE_IN = 16;

  private final Key[] keys = new Key[SIZE];
  private long seen;
  private int kept;

  void add(Key key) {
    if (seen++ % ONE_IN == 0 || kept < SIZE / 4) {
      keys[kept % SIZE] = key;
      kept = kept == Integer.MAX_VALUE ? SIZE : kept + 1;
    }
  }

  /** A key with about half of the load below it, at which {@code range} can be split. */
  Optional<Key> middle(PartitionRange range) {
    List<Key> sorted = new ArrayList<>();
    for (int i = 0; i < Math.min(kept, SIZE); i++) {
      if (range.canSplitAt(keys[i])) {
        sorted.add(keys[i]);
      }
    }
    if (sorted.isEmpty()) {
      return Optional.empty();
    }
    sorted.sort(null);
    return Optional.of(sorted.get(sorted.size() / 2));
  }
}
