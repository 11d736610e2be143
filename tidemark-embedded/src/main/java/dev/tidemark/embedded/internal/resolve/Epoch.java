package dev.tidemark.embedded.internal.resolve;

import dev.tidemark.embedded.internal.common.KeyHash;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The writes of up to 2,048 consecutive commits, to be asked whether a key was among them. */
final class Epoch {
  /** What a begin or an end of a range costs beside its bytes. */
  private static final int ENTRY_BYTES = 100;

  private final WrittenKeys keys = new WrittenKeys();

  /** The same for writes that cause no conflicts; null while there are none. */
  private @Nullable WrittenKeys quietKeys;

  /** From each key on, up to the next one, the version in which that range was last written. */
  private @Nullable NavigableMap<byte[], Long> ranges;

  /** The same for writes that cause no conflicts. */
  private @Nullable NavigableMap<byte[], Long> quietRanges;

  private int commits;
  private long rangeBytes;
  private long minVersion = Long.MAX_VALUE;
  private long maxVersion;

  int commits() {
    return commits;
  }

  /** About how much memory the epoch takes. */
  long bytes() {
    return rangeBytes + keys.bytes() + (quietKeys == null ? 0 : quietKeys.bytes());
  }

  long minVersion() {
    return minVersion;
  }

  long maxVersion() {
    return maxVersion;
  }

  void add(long version, Footprint commit) {
    commits++;
    reach(version);
    keys.add(commit.writeKeys, commit.writeHashes, version);
    if (commit.quietKeys.length > 0) {
      quietKeys().add(commit.quietKeys, commit.quietHashes, version);
    }
    ranges = putRanges(ranges, commit.writeBegins, commit.writeEnds, version);
    quietRanges = putRanges(quietRanges, commit.quietBegins, commit.quietEnds, version);
  }

  /** One more key of a commit that was added. */
  void add(long version, byte[] key, boolean quiet) {
    reach(version);
    (quiet ? quietKeys() : keys).add(new byte[][] {key}, new long[] {KeyHash.of(key)}, version);
  }

  private void reach(long version) {
    minVersion = Math.min(minVersion, version);
    maxVersion = version;
  }

  private WrittenKeys quietKeys() {
    WrittenKeys known = quietKeys;
    if (known == null) {
      known = new WrittenKeys();
      quietKeys = known;
    }
    return known;
  }

  /** Whether one of the keys was written after {@code version}. */
  boolean anyWrittenSince(long version, byte[][] wanted, long[] hashes) {
    for (long hash : hashes) {
      if (keys.lastWrite(hash) > version) {
        return true;
      }
    }
    if (ranges != null) {
      for (byte[] key : wanted) {
        if (lastRangeWrite(ranges, key) > version) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether something from {@code begin} to {@code end} was written after {@code version}. */
  boolean rangeWrittenSince(long version, byte[] begin, byte[] end) {
    return keys.writtenSince(begin, end, version)
        || (ranges != null && anyRangeWrite(ranges, begin, end, version));
  }

  /** Whether {@code key}, which has {@code hash}, was written after {@code version}, or quietly. */
  boolean writtenSince(long version, byte[] key, long hash) {
    return keys.lastWrite(hash) > version
        || (quietKeys != null && quietKeys.lastWrite(hash) > version)
        || (ranges != null && lastRangeWrite(ranges, key) > version)
        || (quietRanges != null && lastRangeWrite(quietRanges, key) > version);
  }

  /** Whether something in a range was written after {@code version}, or quietly. */
  boolean writtenSince(long version, byte[] begin, byte[] end) {
    return rangeWrittenSince(version, begin, end)
        || (quietKeys != null && quietKeys.writtenSince(begin, end, version))
        || (quietRanges != null && anyRangeWrite(quietRanges, begin, end, version));
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
      rangeBytes += 2 * ENTRY_BYTES + begins[i].length + ends[i].length;
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
}
