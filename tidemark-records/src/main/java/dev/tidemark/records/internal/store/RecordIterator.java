package dev.tidemark.records.internal.store;

import dev.tidemark.records.internal.space.StoredRows;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Iterates over the records of rows, without expired ones. */
final class RecordIterator<R> implements Iterator<R> {
  private final StoredRows<R> rows;
  private final Predicate<R> isExpired;
  private @Nullable R next;

  RecordIterator(StoredRows<R> rows, Predicate<R> isExpired) {
    this.rows = rows;
    this.isExpired = isExpired;
  }

  @Override
  public boolean hasNext() {
    while (next == null && rows.hasNext()) {
      R record = rows.next().record();
      next = isExpired.test(record) ? null : record;
    }
    return next != null;
  }

  @Override
  public R next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException("There are no more records");
    }
    R record = next;
    next = null;
    return record;
  }
}
