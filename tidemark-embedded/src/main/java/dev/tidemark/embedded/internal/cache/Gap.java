package dev.tidemark.embedded.internal.cache;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A range from {@code begin} (included) to {@code end} (excluded) in which no key has had a value
 * since version {@code since}.
 *
 * @param rest whether a key was written just before it, so that the range may never have held
 *     anything
 * @param older a part of it that was known to be empty at an earlier version
 */
@SuppressWarnings("ArrayRecordComponent")
public // never compared
record Gap(byte[] begin, byte[] end, long since, boolean rest, @Nullable Gap older) {
  /** The most earlier parts that a gap remembers. */
  private static final int DEPTH_MAX = 16;

  /** Whether the gap contains {@code key}. */
  boolean has(byte[] key) {
    return Arrays.compareUnsigned(begin, key) <= 0 && Arrays.compareUnsigned(key, end) < 0;
  }

  /** Whether the keys just before {@code key} are in it. */
  boolean hasBefore(byte[] key) {
    return Arrays.compareUnsigned(begin, key) < 0 && Arrays.compareUnsigned(key, end) <= 0;
  }

  /** Whether all keys between two are in it. */
  boolean covers(byte[] from, byte[] to) {
    return Arrays.compareUnsigned(begin, from) <= 0 && Arrays.compareUnsigned(to, end) <= 0;
  }

  /** The part of it that is known to be empty at {@code version}; null for none. */
  @Nullable Gap at(long version) {
    Gap gap = this;
    while (gap != null && gap.since > version) {
      gap = gap.older;
    }
    return gap;
  }

  /** A larger gap at {@code version}, of which this is a part. */
  Gap grown(byte[] first, byte[] last, long version) {
    return new Gap(first, last, Math.max(since, version), rest, thinned());
  }

  /** This gap; if it remembers many parts, without every second one. */
  private Gap thinned() {
    int depth = 0;
    for (Gap gap = this; gap != null; gap = gap.older) {
      depth++;
    }
    return depth < DEPTH_MAX ? this : everySecond();
  }

  private Gap everySecond() {
    Gap next = older == null ? null : older.older;
    return new Gap(begin, end, since, rest, next == null ? null : next.everySecond());
  }

  /** What is left of it between two keys; null for nothing. */
  @Nullable Gap between(byte[] from, byte[] to, boolean isRest) {
    byte[] first = Arrays.compareUnsigned(begin, from) < 0 ? from : begin;
    byte[] last = Arrays.compareUnsigned(to, end) < 0 ? to : end;
    if (Arrays.compareUnsigned(first, last) >= 0) {
      return null;
    }
    return new Gap(
        first, last, since, isRest, older == null ? null : older.between(from, to, isRest));
  }
}
