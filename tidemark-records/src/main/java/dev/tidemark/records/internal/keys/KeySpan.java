package dev.tidemark.records.internal.keys;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;

/**
 * A half-open interval of primary keys, as bytes that follow the prefix of a subspace.
 *
 * @param begin the first bytes of the interval
 * @param end the first bytes after the interval
 * @param fields how many fields of the primary key bound it
 */
public record KeySpan(Key begin, Key end, int fields) {
  /** The primary keys that begin with {@code prefix}. */
  public static KeySpan startingWith(Tuple prefix) {
    Key begin = prefix.toKey();
    return new KeySpan(begin, begin.append((byte) 0xff), prefix.size());
  }

  /** The primary keys from {@code from}, inclusive, to {@code to}, exclusive. */
  public static KeySpan between(Tuple from, Tuple to) {
    return new KeySpan(from.toKey(), to.toKey(), Math.max(from.size(), to.size()));
  }

  /** The keys of this interval in {@code space}. */
  public KeyRange in(Subspace space) {
    return KeyRange.of(
        space.prefix().append(begin.unsafeBytes()), space.prefix().append(end.unsafeBytes()));
  }
}
