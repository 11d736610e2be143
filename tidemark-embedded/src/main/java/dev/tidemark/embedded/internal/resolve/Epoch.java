package dev.tidemark.embedded.internal.resolve;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The writes of up to 2,048 consecutive commits, to be asked whether a key was among them. */
final class Epoch {
  /** Runs grow by merging up to 2^6 commits; beyond, merging costs more than searching saves. */
  private static final int MAX_LEVEL = 6;

  private static final int FIRST_CAPACITY = 1 << 12;

  /** What a key costs beside its bytes: its array, its place in the table and in a run. */
  private static final int ENTRY_BYTES = 100;

  /** Open addressing: the hash of a key at 2i, the version of its last write at 2i + 1. */
  private long[] table = new long[2 * FIRST_CAPACITY];

  private int used;

  /** Commits whose keys are not in {@link #runs} yet: runs are built when a range is asked for. */
  private final List<byte[][]> unsorted = new ArrayList<>();

  private final List<Long> unsortedVersions = new ArrayList<>();
  private final List<SortedRun> runs = new ArrayList<>();

  /** From each key on, up to the next one, the version in which that range was last written. */
  private @Nullable NavigableMap<byte[], Long> ranges;

  /** The same for writes that cause no conflicts. */
  private @Nullable NavigableMap<byte[], Long> quietRanges;

  private int commits;
  private long bytes;
  private long minVersion = Long.MAX_VALUE;
  private long maxVersion;

  int commits() {
    return commits;
  }

  /** About how much memory the epoch takes. */
  long bytes() {
    return bytes;
  }

  long minVersion() {
    return minVersion;
  }

  long maxVersion() {
    return maxVersion;
  }

  void add(long version, Footprint commit) {
    commits++;
    minVersion = Math.min(minVersion, version);
    maxVersion = version;
    for (long hash : commit.writeHashes) {
      put(hash, version);
    }
    for (byte[] key : commit.writeKeys) {
      bytes += ENTRY_BYTES + key.length;
    }
    if (commit.writeKeys.length > 0) {
      unsorted.add(commit.writeKeys);
      unsortedVersions.add(version);
    }
    ranges = putRanges(ranges, commit.writeBegins, commit.writeEnds, version);
    quietRanges = putRanges(quietRanges, commit.quietBegins, commit.quietEnds, version);
  }

  /** Whether one of the keys was written after {@code version}. */
  boolean anyWrittenSince(long version, byte[][] keys, long[] hashes) {
    for (long hash : hashes) {
      if (lastWrite(hash) > version) {
        return true;
      }
    }
    if (ranges != null) {
      for (byte[] key : keys) {
        if (lastRangeWrite(ranges, key) > version) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether something from {@code begin} to {@code end} was written after {@code version}. */
  boolean rangeWrittenSince(long version, byte[] begin, byte[] end) {
    sortRuns();
    for (int i = runs.size() - 1; i >= 0; i--) {
      SortedRun run = runs.get(i);
      if (run.maxVersion <= version) {
        break;
      }
      if (run.writtenSince(begin, end, version)) {
        return true;
      }
    }
    return ranges != null && anyRangeWrite(ranges, begin, end, version);
  }

  /** Whether {@code key} was written after {@code version} by a write that causes no conflict. */
  boolean quietlyWrittenSince(long version, byte[] key) {
    return quietRanges != null && lastRangeWrite(quietRanges, key) > version;
  }

  /** Whether something in a range was written so after {@code version}. */
  boolean quietlyWrittenSince(long version, byte[] begin, byte[] end) {
    return quietRanges != null && anyRangeWrite(quietRanges, begin, end, version);
  }

  private static long lastRangeWrite(NavigableMap<byte[], Long> ranges, byte[] key) {
    Map.Entry<byte[], Long> at = ranges.floorEntry(key);
    return at == null ? 0 : at.getValue();
  }

  private static boolean anyRangeWrite(
      NavigableMap<byte[], Long> ranges, byte[] begin, byte[] end, long version) {
    if (lastRangeWrite(ranges, begin) > version) {
      return true;
    }
    for (long written : ranges.subMap(begin, true, end, false).values()) {
      if (written > version) {
        return true;
      }
    }
    return false;
  }

  private @Nullable NavigableMap<byte[], Long> putRanges(
      @Nullable NavigableMap<byte[], Long> before, byte[][] begins, byte[][] ends, long version) {
    if (begins.length == 0) {
      return before;
    }
    NavigableMap<byte[], Long> all =
        before == null ? new TreeMap<>(Arrays::compareUnsigned) : before;
    for (int i = 0; i < begins.length; i++) {
      putRange(all, begins[i], ends[i], version);
      bytes += 2 * ENTRY_BYTES + begins[i].length + ends[i].length;
    }
    return all;
  }

  private static void putRange(
      NavigableMap<byte[], Long> all, byte[] begin, byte[] end, long version) {
    long after = lastRangeWrite(all, end);
    all.subMap(begin, true, end, false).clear();
    all.put(begin, version);
    all.putIfAbsent(end, after);
  }

  private void sortRuns() {
    for (int i = 0; i < unsorted.size(); i++) {
      SortedRun run = SortedRun.of(unsorted.get(i), unsortedVersions.get(i));
      while (!runs.isEmpty() && runs.getLast().level == run.level && run.level < MAX_LEVEL) {
        run = runs.removeLast().merge(run);
      }
      runs.add(run);
    }
    unsorted.clear();
    unsortedVersions.clear();
  }

  private long lastWrite(long hash) {
    int mask = table.length - 2;
    for (int slot = (int) (hash << 1) & mask; ; slot = (slot + 2) & mask) {
      if (table[slot] == hash) {
        return table[slot + 1];
      }
      if (table[slot] == 0) {
        return 0;
      }
    }
  }

  private void put(long hash, long version) {
    int mask = table.length - 2;
    for (int slot = (int) (hash << 1) & mask; ; slot = (slot + 2) & mask) {
      if (table[slot] == hash) {
        table[slot + 1] = version;
        return;
      }
      if (table[slot] == 0) {
        table[slot] = hash;
        table[slot + 1] = version;
        if (++used * 4 > table.length) {
          grow();
        }
        return;
      }
    }
  }

  private void grow() {
    long[] old = table;
    table = new long[old.length * 2];
    used = 0;
    for (int slot = 0; slot < old.length; slot += 2) {
      if (old[slot] != 0) {
        put(old[slot], old[slot + 1]);
      }
    }
  }
}
