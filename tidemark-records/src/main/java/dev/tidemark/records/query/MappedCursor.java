package dev.tidemark.records.query;

import java.util.function.Function;

/** A cursor that converts the results of another one. */
final class MappedCursor<S, T> implements Cursor<T> {
  private final Cursor<S> rows;
  private final Function<? super S, ? extends T> form;

  MappedCursor(Cursor<S> rows, Function<? super S, ? extends T> form) {
    this.rows = rows;
    this.form = form;
  }

  @Override
  public boolean hasNext() {
    return rows.hasNext();
  }

  @Override
  public T next() {
    return form.apply(rows.next());
  }

  @Override
  public StopReason stopReason() {
    return rows.stopReason();
  }

  @Override
  public Continuation continuation() {
    return rows.continuation();
  }

  @Override
  public void close() {
    rows.close();
  }
}
