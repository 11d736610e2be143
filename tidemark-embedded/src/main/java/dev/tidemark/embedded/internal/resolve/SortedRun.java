package dev.tidemark.embedded.internal.resolve;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Written keys in order, each with the version that wrote it.
 *
 * <p>Beside every key stands a digest: the eight bytes that follow the prefix which all keys of the
 * run share, as an unsigned number. Searches compare digests, which lie side by side in memory, and
 * look at the keys themselves only where digests are equal.
 */
final class SortedRun {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final byte[][] keys;
  private final long[] versions;
  private final long[] digests;
  private final int prefix;
  private final long minVersion;

  /** How many transactions' writes are in the run, as a power of two. */
  final int level;

  final long maxVersion;

  private SortedRun(
      byte[][] keys, long[] versions, long[] digests, int prefix, int level, long min, long max) {
    this.keys = keys;
    this.versions = versions;
    this.digests = digests;
    this.prefix = prefix;
    this.level = level;
    this.minVersion = min;
    this.maxVersion = max;
  }

  /** The run of one transaction. */
  static SortedRun of(byte[][] keys, long version) {
    int prefix = commonPrefix(keys[0], keys[keys.length - 1]);
    long[] versions = new long[keys.length];
    Arrays.fill(versions, version);
    return new SortedRun(keys, versions, digests(keys, prefix), prefix, 0, version, version);
  }

  /** This run and a later one as one. */
  SortedRun merge(SortedRun later) {
    int n = keys.length;
    int m = later.keys.length;
    byte[] first = min(keys[0], later.keys[0]);
    byte[] last = max(keys[n - 1], later.keys[m - 1]);
    int shared = commonPrefix(first, last);
    long[] left = shared == prefix ? digests : digests(keys, shared);
    long[] right = shared == later.prefix ? later.digests : digests(later.keys, shared);
    byte[][] mergedKeys = new byte[n + m][];
    long[] mergedVersions = new long[n + m];
    long[] mergedDigests = new long[n + m];
    int i = 0;
    int j = 0;
    for (int k = 0; k < n + m; k++) {
      boolean takeLeft =
          j == m || (i < n && compare(left[i], keys[i], right[j], later.keys[j]) <= 0);
      mergedKeys[k] = takeLeft ? keys[i] : later.keys[j];
      mergedVersions[k] = takeLeft ? versions[i] : later.versions[j];
      mergedDigests[k] = takeLeft ? left[i++] : right[j++];
    }
    return new SortedRun(
        mergedKeys, mergedVersions, mergedDigests, shared, level + 1, minVersion, later.maxVersion);
  }

  /** Whether a key from {@code begin} to {@code end} was written after {@code version}. */
  boolean writtenSince(byte[] begin, byte[] end, long version) {
    int at = lowerBound(begin);
    while (at < keys.length && Arrays.compareUnsigned(keys[at], end) < 0) {
      if (minVersion > version || versions[at] > version) {
        return true;
      }
      at++;
    }
    return false;
  }

  private int lowerBound(byte[] key) {
    int low = 0;
    int high = keys.length;
    int length = Math.min(prefix, key.length);
    int order = Arrays.compareUnsigned(key, 0, length, keys[0], 0, length);
    if (order != 0 || key.length < prefix) {
      return order <= 0 ? 0 : high;
    }
    long digest = digest(key, prefix);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(digests[middle], keys[middle], digest, key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static int compare(long digest, byte[] key, long otherDigest, byte[] otherKey) {
    return digest != otherDigest
        ? Long.compareUnsigned(digest, otherDigest)
        : Arrays.compareUnsigned(key, otherKey);
  }

  private static long[] digests(byte[][] keys, int prefix) {
    long[] digests = new long[keys.length];
    for (int i = 0; i < keys.length; i++) {
      digests[i] = digest(keys[i], prefix);
    }
    return digests;
  }

  private static long digest(byte[] key, int from) {
    if (from + Long.BYTES <= key.length) {
      return (long) LONGS.get(key, from);
    }
    long digest = 0;
    for (int i = from; i < from + Long.BYTES; i++) {
      digest = (digest << 8) | (i < key.length ? key[i] & 0xff : 0);
    }
    return digest;
  }

  private static int commonPrefix(byte[] left, byte[] right) {
    int mismatch = Arrays.mismatch(left, right);
    return mismatch < 0 ? left.length : mismatch;
  }

  private static byte[] min(byte[] left, byte[] right) {
    return Arrays.compareUnsigned(left, right) <= 0 ? left : right;
  }

  private static byte[] max(byte[] left, byte[] right) {
    return Arrays.compareUnsigned(left, right) >= 0 ? left : right;
  }
}
