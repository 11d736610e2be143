package dev.tidemark.records.query;

import java.util.Iterator;
import java.util.OptionalLong;

/** A cursor over an iterator, which has no continuations. */
final class IteratorCursor<T> implements Cursor<T> {
  private final Iterator<T> rows;
  private final Runnable close;
  private long left;

  /** Skips {@code offset} rows and returns at most {@code limit} of the others. */
  IteratorCursor(Iterator<T> rows, long offset, OptionalLong limit, Runnable close) {
    this.rows = rows;
    this.close = close;
    this.left = limit.orElse(Long.MAX_VALUE);
    for (long i = 0; i < offset && left > 0 && rows.hasNext(); i++) {
      rows.next();
    }
  }

  @Override
  public boolean hasNext() {
    return left > 0 && rows.hasNext();
  }

  @Override
  public T next() {
    left--;
    return rows.next();
  }

  @Override
  public StopReason stopReason() {
    return left == 0 ? StopReason.ROW_LIMIT : StopReason.EXHAUSTED;
  }

  @Override
  public Continuation continuation() {
    throw new UnsupportedOperationException(
        "There is no way to go on with these results elsewhere");
  }

  @Override
  public void close() {
    close.run();
  }
}
