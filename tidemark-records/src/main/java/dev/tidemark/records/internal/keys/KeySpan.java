package dev.tidemark.records.internal.keys;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Subspace;
import dev.tidemark.kv.Tuple;

/**
 * A part of the order of primary keys, as bytes that keys have behind a prefix.
 *
 * @param begin the first bytes that belong to it
 * @param end the first bytes after it
 * @param fields how many fields of the primary key decide what belongs to it
 */
public record KeySpan(Key begin, Key end, int fields) {
  /** The primary keys that begin with {@code prefix}. */
  public static KeySpan startingWith(Tuple prefix) {
    Key begin = prefix.toKey();
    return new KeySpan(begin, begin.append((byte) 0xff), prefix.size());
  }

  /** The primary keys from {@code from} on and before {@code to}. */
  public static KeySpan between(Tuple from, Tuple to) {
    return new KeySpan(from.toKey(), to.toKey(), Math.max(from.size(), to.size()));
  }

  /** The keys in {@code space} that go on with these bytes. */
  public KeyRange in(Subspace space) {
    return KeyRange.of(
        space.prefix().append(begin.unsafeBytes()), space.prefix().append(end.unsafeBytes()));
  }
}
