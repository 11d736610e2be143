package dev.tidemark.records.internal.query.engine;

import dev.tidemark.records.internal.query.run.Hit;
import dev.tidemark.records.internal.query.run.Rows;
import dev.tidemark.records.internal.query.scan.Meter;
import dev.tidemark.records.query.Continuation;
import dev.tidemark.records.query.Cursor;
import dev.tidemark.records.query.QueryLimits;
import dev.tidemark.records.query.StopReason;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The cursor over the rows of a plan. */
final class PlanCursor<T> implements Cursor<T> {
  private final Stage from;
  private final Rows rows;
  private final Meter meter;
  private final Function<Hit, T> result;
  private final Function<Stage, Continuation> continuations;
  private long offset;
  private long limit;
  private long page;
  private @Nullable StopReason stopped;

  /** Takes {@code rows}, which were opened at {@code from}. */
  PlanCursor(
      Stage from,
      Rows rows,
      Meter meter,
      QueryLimits limits,
      Function<Hit, T> result,
      Function<Stage, Continuation> continuations) {
    this.from = from;
    this.rows = rows;
    this.meter = meter;
    this.result = result;
    this.continuations = continuations;
    this.offset = from.offset();
    this.limit = from.limit() < 0 ? Long.MAX_VALUE : from.limit();
    this.page = limits.rows().orElse(Long.MAX_VALUE);
    this.stopped = from.ended() ? StopReason.EXHAUSTED : null;
  }

  @Override
  public boolean hasNext() {
    if (stopped == null) {
      stopped = reasonToStop();
    }
    return stopped == null;
  }

  private @Nullable StopReason reasonToStop() {
    if (limit == 0) {
      return StopReason.EXHAUSTED;
    }
    if (page == 0) {
      return StopReason.ROW_LIMIT;
    }
    offset -= rows.pass(offset);
    if (rows.peek() != null) {
      return null;
    }
    StopReason reached = meter.stopped();
    return reached == null ? StopReason.EXHAUSTED : reached;
  }

  @Override
  public T next() {
    Hit hit = hasNext() ? rows.peek() : null;
    if (hit == null) {
      throw new NoSuchElementException("The cursor has no more rows: " + stopped);
    }
    T row = result.apply(hit);
    rows.take();
    limit--;
    page--;
    return row;
  }

  /** Takes all remaining rows, and returns how many. */
  long count() {
    if (limit == 0) {
      return 0;
    }
    offset -= rows.pass(offset);
    long counted = rows.pass(Math.min(limit, page));
    limit -= counted;
    page -= counted;
    return counted;
  }

  @Override
  public StopReason stopReason() {
    if (stopped == null) {
      throw new IllegalStateException("The cursor has not stopped; ask when hasNext is false");
    }
    return stopped;
  }

  @Override
  public Continuation continuation() {
    boolean ended = stopped == StopReason.EXHAUSTED;
    long left = from.limit() < 0 ? -1 : limit;
    return continuations.apply(from.at(offset, left, ended, rows.position()));
  }

  @Override
  public void close() {}
}
