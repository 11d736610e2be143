package dev.tidemark.records.internal.query.scan;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A range of keys that an access reads.
 *
 * @param begin the first key
 * @param end the first key behind it
 * @param fixed how many bytes all its keys begin with because of the leading columns
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a whole
public record Span(byte[] begin, byte[] end, int fixed) {
  boolean isEmpty() {
    return Arrays.compareUnsigned(begin, end) >= 0;
  }

  boolean contains(Key key) {
    byte[] bytes = key.unsafeBytes();
    return Arrays.compareUnsigned(bytes, begin) >= 0 && Arrays.compareUnsigned(bytes, end) < 0;
  }

  KeyRange range() {
    return KeyRange.of(Key.wrap(begin), Key.wrap(end));
  }

  /** What comes behind {@code key} in the direction of the scan. */
  Span after(byte @Nullable [] key, boolean reverse) {
    if (key == null) {
      return this;
    }
    return reverse ? before(key) : from(Packed.concat(key, (byte) 0));
  }

  /** What is before {@code key}. */
  Span before(byte[] key) {
    return Arrays.compareUnsigned(key, end) < 0 ? new Span(begin, key, fixed) : this;
  }

  /** What is at {@code key} or behind it. */
  Span from(byte[] key) {
    return Arrays.compareUnsigned(key, begin) > 0 ? new Span(key, end, fixed) : this;
  }
}
