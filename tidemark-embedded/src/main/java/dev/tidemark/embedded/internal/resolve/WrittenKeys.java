package dev.tidemark.embedded.internal.resolve;

import java.util.ArrayList;
import java.util.List;

/**
 * Single keys with the versions that wrote them last: by hash, and in order once that is needed.
 */
final class WrittenKeys {
  /** Runs grow by merging up to 2^6 commits; beyond, merging costs more than searching saves. */
  private static final int MAX_LEVEL = 6;

  private static final int FIRST_CAPACITY = 1 << 12;

  /** What a key costs beside its bytes: its array, its place in the table and in a run. */
  private static final int ENTRY_BYTES = 100;

  /** Open addressing: the hash of a key at 2i, the version of its last write at 2i + 1. */
  private long[] table = new long[2 * FIRST_CAPACITY];

  private int used;

  /** Keys that are not in {@link #runs} yet: runs are built when a range is asked for. */
  private final List<byte[][]> unsorted = new ArrayList<>();

  private final List<Long> unsortedVersions = new ArrayList<>();
  private final List<SortedRun> runs = new ArrayList<>();
  private long bytes;

  /** About how much memory the keys take. */
  long bytes() {
    return bytes;
  }

  /** Adds {@code keys}, which are in order, with their {@code hashes}. */
  void add(byte[][] keys, long[] hashes, long version) {
    if (keys.length == 0) {
      return;
    }
    for (long hash : hashes) {
      put(hash, version);
    }
    for (byte[] key : keys) {
      bytes += ENTRY_BYTES + key.length;
    }
    unsorted.add(keys);
    unsortedVersions.add(version);
  }

  /** The version that wrote the key with {@code hash} last; 0 for none. */
  long lastWrite(long hash) {
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

  /** Whether a key from {@code begin} to {@code end} was written after {@code version}. */
  boolean writtenSince(byte[] begin, byte[] end, long version) {
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
    return false;
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
