package dev.tidemark.pulse.redis.internal.rows;

import dev.tidemark.kv.Key;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A bounded cache of the rows of a pool as they were last seen. It may be out of date: the server
 * checks everything that a transition has used of it.
 */
final class RowKnowledge {
  private static final int ROWS_MAX = 4_096;
  private static final int ROW_BYTES_MAX = 4_096;
  private static final int RANGES_MAX = 256;
  private static final int RANGE_ROWS_MAX = 64;

  private final Map<Key, SeenRow> rows = new Bounded<>(ROWS_MAX);
  private final Map<RangeRead, SeenRange> ranges = new Bounded<>(RANGES_MAX);

  /** Forgets what was not used for the longest time. */
  private static final class Bounded<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;
    private final int max;

    Bounded(int max) {
      super(16, 0.75f, true);
      this.max = max;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > max;
    }
  }

  /** The row, if it is known to be there. */
  synchronized Optional<SeenRow> row(Key key) {
    return Optional.ofNullable(rows.get(key));
  }

  /** The answer to a question, if it is known. */
  synchronized Optional<SeenRange> range(RangeRead read) {
    return Optional.ofNullable(ranges.get(read));
  }

  synchronized void learn(Key key, Optional<SeenRow> row) {
    if (row.isPresent() && row.get().value().length <= ROW_BYTES_MAX) {
      rows.put(key, row.get());
    } else {
      rows.remove(key);
    }
  }

  synchronized void learn(RangeRead read, SeenRange range) {
    if (range.rows().size() <= RANGE_ROWS_MAX && !range.rows().isEmpty()) {
      ranges.put(read, range);
    } else {
      ranges.remove(read);
    }
  }

  /** Takes in what this process has written at {@code version}. */
  synchronized void wrote(RowWrites writes, String version) {
    writes.sets().forEach((key, value) -> learn(key, Optional.of(new SeenRow(version, value))));
    writes.clears().forEach(rows::remove);
    writes.clearedRanges().forEach(range -> rows.keySet().removeIf(range::contains));
    ranges.keySet().removeIf(writes::touch);
  }
}
