package dev.tidemark.records.internal.query.scan;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.tuple.Tuple;
import org.jspecify.annotations.Nullable;

/** The keys of an access with their values, in the order in which it reads them. */
public interface KeySource {
  /** The next key with its value; null at the end, or if the meter allows no more. */
  @Nullable KeyValue next();

  /**
   * Announces the probable number of further keys, so that the source reads ahead no more; 0 for
   * all.
   */
  default void expect(int keys) {}

  /** Skips up to {@code most} keys, and returns how many. */
  default long pass(long most) {
    long passed = 0;
    while (passed < most && next() != null) {
      passed++;
    }
    return passed;
  }

  /** The key of the record that {@code row} leads to. */
  Key recordKey(KeyValue row);

  /** The number of the range of the last key, where that is a part of its place. */
  int range();

  /** The place behind {@code key}, which came from {@code range}. */
  Tuple place(byte[] key, int range);

  /** The place behind all keys that were read. */
  Tuple reached();
}
