package dev.tidemark.foundationdb.internal.cluster;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.spi.commit.StampTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Where a transaction has versionstamps to come, so that reads fail there, and the commit with
 * them. The client reads the next rows of a range before they are asked for; a range is cut at
 * these places, so that it does not read what the program never asked for.
 */
final class StampedRanges {
  /** Cuts beyond this number would cost more requests than they are worth. */
  private static final int CUTS_MAX = 64;

  /** Guarded by this. */
  private final TreeSet<Key> cuts = new TreeSet<>();

  private volatile boolean empty = true;

  /** Notes a stamped write by a transaction that reads {@code version}; zero if none is known. */
  synchronized void add(MutationType type, Key key, long version) {
    KeyRange unreadable =
        type == MutationType.SET_VERSIONSTAMPED_KEY
            ? StampTemplate.parse(key.unsafeBytes()).possibleKeys(version - 1)
            : KeyRange.single(key);
    cuts.add(unreadable.begin());
    cuts.add(unreadable.end());
    empty = false;
  }

  boolean isEmpty() {
    return empty;
  }

  /** The pieces of a range that are read one by one, in the order of the scan. */
  synchronized List<KeyRange> pieces(Key begin, Key end, boolean reverse) {
    List<KeyRange> pieces = new ArrayList<>();
    Key from = begin;
    for (Key cut : cuts.subSet(begin, false, end, false)) {
      if (pieces.size() == CUTS_MAX) {
        break;
      }
      pieces.add(KeyRange.of(from, cut));
      from = cut;
    }
    pieces.add(KeyRange.of(from, end));
    return reverse ? pieces.reversed() : pieces;
  }
}
