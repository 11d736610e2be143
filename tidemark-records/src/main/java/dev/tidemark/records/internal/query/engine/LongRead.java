package dev.tidemark.records.internal.query.engine;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Reads page after page, each in a transaction of its own that has ended before the first row of
 * the page is handed out. Used by one thread.
 */
final class LongRead<T, P> implements Iterator<T> {
  private final Pages<T, P> pages;
  private Iterator<T> rows = Collections.emptyIterator();
  private @Nullable P at;
  private boolean ended;

  /** Reads pages. */
  @FunctionalInterface
  interface Pages<T, P> {
    /** The page behind {@code at}; null for the first one. */
    Page<T, P> read(@Nullable P at);
  }

  /**
   * A page.
   *
   * @param rows its rows
   * @param at the place behind them
   * @param last whether there are no more
   */
  record Page<T, P>(List<T> rows, P at, boolean last) {}

  LongRead(Pages<T, P> pages) {
    this.pages = pages;
  }

  @Override
  public boolean hasNext() {
    while (!rows.hasNext() && !ended) {
      Page<T, P> page = pages.read(at);
      rows = page.rows().iterator();
      at = page.at();
      ended = page.last();
    }
    return rows.hasNext();
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException("There are no more rows");
    }
    return rows.next();
  }
}
