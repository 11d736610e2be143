package dev.tidemark.foundationdb.internal.cluster;

import com.apple.foundationdb.async.AsyncIterator;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one iteration. The client fetches those of a piece in portions and has the next one
 * on its way while this one is read; the next piece is not asked for before the program comes to
 * it. Not for several threads at a time.
 */
final class ClusterRows implements Iterator<KeyValue> {
  private final ClusterTransaction tx;
  private final Iterator<Piece> pieces;

  /** Rows that may still come; zero for all. */
  private int limit;

  /** Absent before the first row is asked for, because the client reads as soon as it is made. */
  private @Nullable AsyncIterator<com.apple.foundationdb.KeyValue> rows;

  private boolean rowIsReady;
  private boolean ended;

  /** A part of the range. */
  @FunctionalInterface
  interface Piece {
    /** Begins to read {@code limit} rows of it, or all for zero. */
    AsyncIterator<com.apple.foundationdb.KeyValue> open(int limit);
  }

  ClusterRows(ClusterTransaction tx, List<Piece> pieces, int limit) {
    this.tx = tx;
    this.pieces = pieces.iterator();
    this.limit = limit;
  }

  @Override
  public boolean hasNext() {
    while (!rowIsReady && !ended) {
      AsyncIterator<com.apple.foundationdb.KeyValue> current = rows;
      if (current != null && tx.read(() -> tx.await(current.onHasNext()))) {
        rowIsReady = true;
      } else if (pieces.hasNext()) {
        Piece next = pieces.next();
        rows = tx.read(() -> next.open(limit));
      } else {
        ended = true;
      }
    }
    return rowIsReady;
  }

  @Override
  public KeyValue next() {
    AsyncIterator<com.apple.foundationdb.KeyValue> current = hasNext() ? rows : null;
    if (current == null) {
      throw new NoSuchElementException("The scan has no more rows");
    }
    com.apple.foundationdb.KeyValue row = tx.read(current::next);
    rowIsReady = false;
    if (limit > 0 && --limit == 0) {
      ended = true;
    }
    return new KeyValue(Key.wrap(row.getKey()), row.getValue());
  }
}
