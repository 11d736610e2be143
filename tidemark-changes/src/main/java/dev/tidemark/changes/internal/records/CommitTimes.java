package dev.tidemark.changes.internal.records;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.LongFunction;

/**
 * The times of versions, asked for rarely: on a served store a question is a round trip, and the
 * changes of each commit have one.
 *
 * <p>Where a version is a microsecond, as in all stores but FoundationDB, those between two that
 * were asked for need no question. Whether that is so is found out with the first ones.
 */
public final class CommitTimes {
  private static final long SPAN_MICROS = 10_000_000;

  private final LongFunction<Instant> store;
  private volatile Span known = new Span(0, -1, Instant.EPOCH);
  private volatile boolean regular = true;

  /** Versions whose times are known, and the time of the first of them. */
  private record Span(long from, long to, Instant start) {
    boolean has(long version) {
      return version >= from && version <= to;
    }

    Instant at(long version) {
      return start.plus(version - from, ChronoUnit.MICROS);
    }
  }

  /** Times that {@code store} knows. */
  public CommitTimes(LongFunction<Instant> store) {
    this.store = store;
  }

  /** The time of {@code version}. */
  public Instant of(long version) {
    Span span = known;
    if (span.has(version)) {
      return span.at(version);
    }
    Instant time = store.apply(version);
    if (regular && version < Long.MAX_VALUE - SPAN_MICROS) {
      Span next = new Span(version, version + SPAN_MICROS, time);
      if (next.at(next.to()).equals(store.apply(next.to()))) {
        known = next;
      } else {
        regular = false;
      }
    }
    return time;
  }
}
