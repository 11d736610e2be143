package dev.tidemark.records.internal.query.scan;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Tuple;
import org.jspecify.annotations.Nullable;

/** The keys of an access with their values, in the order in which it reads them. */
public interface KeySource {
  /** The next key with its value; null at the end, or if the meter allows no more. */
  @Nullable KeyValue next();

  /** Tells how many more keys are taken, probably, so that no others are read; 0 for all. */
  default void expect(int keys) {}

  /** Passes over up to {@code most} keys; answers how many there were. */
  default long pass(long most) {
    long passed = 0;
    while (passed < most && next() != null) {
      passed++;
    }
    return passed;
  }

  /** The key of the record that {@code row} leads to. */
  Key recordKey(KeyValue row);

  /** The number of the range that the last key came from, where that belongs to its place. */
  int range();

  /** The place behind {@code key}, which came from {@code range}. */
  Tuple place(byte[] key, int range);

  /** The place behind all that was looked at. */
  Tuple reached();
}
