package dev.tidemark.kv.tuple;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadContext;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/*
 * A row for each piece: its begin is in the key as it is, behind a byte, its end is the value. The begin
 * is no element of a tuple: that would have two bytes for each zero, and keys that fit the store could not
 * be in a set. Pieces do not overlap. A range
 * is inserted by filling the gaps between the pieces that are there: a piece that ends exactly where
 * the gap begins is extended, so that work which goes forward keeps one row.
 *
 * Whether a key is in the set cannot be seen from the row at that key, so rows are read as snapshots
 * and conflicts are declared on the keys at which rows for the asked part would be: a reader depends
 * on what it asked about and a writer changes what it filled, whatever rows are behind it. A piece
 * can be extended after a snapshot read because only an insert at its end, or a clear, changes it.
 * Both meet the conflicts of the gap.
 */

/**
 * A stored set of keys, given as ranges: which part of a key space some work has been done for.
 *
 * <p>Ranges are half-open; the set is a part of the keys from {@code 00} to {@code ff}, {@code ff}
 * itself and the empty key excluded.
 */
public final class RangeSet {
  /** Comes before the begin of a piece in the key of its row. */
  private static final byte ROW = (byte) 0xfe;

  private final Subspace space;

  private RangeSet(Subspace space) {
    this.space = space;
  }

  /** The set stored in {@code space}, which holds nothing else. */
  public static RangeSet in(Subspace space) {
    return new RangeSet(space);
  }

  /**
   * Whether {@code key} is in the set. In a transaction this is a read of just that key: an insert
   * or a clear that changes the answer is a conflict. Through a snapshot it is none.
   *
   * @throws IllegalArgumentException if the key is empty or not below {@code ff}
   */
  public boolean contains(ReadContext context, Key key) {
    checkBegin(key);
    return context.read(
        tx -> {
          if (tx instanceof Transaction serializable) {
            serializable.addReadConflict(row(key));
          }
          return pieceFrom(tx, key).filter(piece -> key.compareTo(piece.end()) < 0).isPresent();
        });
  }

  /**
   * Adds {@code range} and returns whether some of it was not in the set before.
   *
   * @throws IllegalArgumentException if the range is not between {@code 00} and {@code ff}
   */
  public boolean insert(TransactionContext context, KeyRange range) {
    check(range);
    return context.transact(tx -> fill(tx, gaps(tx, range, Integer.MAX_VALUE)));
  }

  /**
   * Adds {@code range} if nothing of it is in the set and returns whether it did.
   *
   * @throws IllegalArgumentException if the range is not between {@code 00} and {@code ff}
   */
  public boolean insertIfEmpty(TransactionContext context, KeyRange range) {
    check(range);
    return context.transact(
        tx -> {
          List<Gap> gaps = gaps(tx, range, 1);
          boolean empty = gaps.size() == 1 && gaps.getFirst().range().equals(range);
          return empty && fill(tx, gaps);
        });
  }

  /** {@link #missing(ReadContext, KeyRange, int)} without a limit. */
  public List<KeyRange> missing(ReadContext context, KeyRange range) {
    return missing(context, range, Integer.MAX_VALUE);
  }

  /**
   * The parts of {@code range} that are not in the set, in order, at most {@code limit}. In a
   * transaction this is a read of the whole range: an insert into it is a conflict. Through a
   * snapshot it is none.
   *
   * @throws IllegalArgumentException if the range is not between {@code 00} and {@code ff}, or if
   *     the limit is not positive
   */
  public List<KeyRange> missing(ReadContext context, KeyRange range, int limit) {
    check(range);
    if (limit <= 0) {
      throw new IllegalArgumentException("The limit must be positive, not " + limit);
    }
    return context.read(tx -> gaps(tx, range, limit).stream().map(Gap::range).toList());
  }

  /** Empties the set. */
  public void clear(TransactionContext context) {
    context.run(tx -> tx.clear(space.range()));
  }

  /**
   * A part that is not in the set.
   *
   * @param row begin of the row to set for it: that of the piece right before it, or its own
   */
  private record Gap(KeyRange range, Key row) {}

  private List<Gap> gaps(ReadTransaction tx, KeyRange range, int limit) {
    List<Gap> gaps = new ArrayList<>();
    if (range.isEmpty()) {
      return gaps;
    }
    KeyRange rows = new KeyRange(row(range.begin()), row(range.end()));
    if (tx instanceof Transaction serializable) {
      serializable.addReadConflict(rows);
    }
    KeyRange before = pieceFrom(tx, range.begin()).orElse(KeyRange.of(Key.EMPTY, Key.EMPTY));
    Iterator<KeyValue> following = tx.snapshot().scan(rows).iterator();
    while (gaps.size() < limit && before.end().compareTo(range.end()) < 0) {
      boolean adjacent = before.end().compareTo(range.begin()) >= 0;
      Key begin = adjacent ? before.end() : range.begin();
      KeyRange next =
          following.hasNext() ? piece(following.next()) : KeyRange.of(range.end(), range.end());
      if (begin.compareTo(next.begin()) < 0) {
        gaps.add(new Gap(new KeyRange(begin, next.begin()), adjacent ? before.begin() : begin));
      }
      before = next;
    }
    return gaps;
  }

  private boolean fill(Transaction tx, List<Gap> gaps) {
    for (Gap gap : gaps) {
      tx.set(row(gap.row()), gap.range().end().toByteArray());
      tx.addWriteConflict(new KeyRange(row(gap.range().begin()), row(gap.range().end())));
    }
    return !gaps.isEmpty();
  }

  /** The last piece that begins at {@code key} or before it. */
  private Optional<KeyRange> pieceFrom(ReadTransaction tx, Key key) {
    KeyRange rows = new KeyRange(space.range().begin(), row(key).next());
    return tx.snapshot().scan(rows).reverse().first().map(this::piece);
  }

  private KeyRange piece(KeyValue row) {
    byte[] key = row.key().unsafeBytes();
    int at = space.prefix().size();
    if (key[at] != ROW) {
      throw new IllegalStateException(
          "The range set at %s was stored by an earlier build of Tidemark, in another format. Clear it and begin its work anew; if it is of the build of an index, disable the index and build it"
              .formatted(space.prefix()));
    }
    return new KeyRange(Key.wrap(Arrays.copyOfRange(key, at + 1, key.length)), Key.of(row.value()));
  }

  private Key row(Key begin) {
    return space.prefix().append(ROW).append(begin.unsafeBytes());
  }

  private static void check(KeyRange range) {
    checkBegin(range.begin());
    if (range.end().compareTo(Key.END) > 0) {
      throw new IllegalArgumentException("The range " + range + " ends after ff");
    }
  }

  private static void checkBegin(Key key) {
    if (key.size() == 0 || key.compareTo(Key.END) >= 0) {
      throw new IllegalArgumentException(
          "The key " + key + " cannot be in a range set: it must have a byte and be below ff");
    }
  }
}
