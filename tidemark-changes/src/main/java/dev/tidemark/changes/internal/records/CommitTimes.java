package dev.tidemark.changes.internal.records;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The times of versions, asked for rarely: on a served store and on FoundationDB a question is a
 * transaction, and the changes of each commit have a time.
 *
 * <p>Versions are divided into spans, and the store is asked for the ends of a span. Where a
 * version is a microsecond, as in all stores but FoundationDB, what is between the ends is known
 * exactly. Elsewhere it is interpolated, in spans so short that it is off by less than two seconds:
 * times are for people and for lag. The order of two commits is never told by them.
 */
public final class CommitTimes {
  private static final long SPAN_MICROS = 10_000_000;

  /** About a second of FoundationDB. */
  private static final long SPAN_INTERPOLATED = 1_000_000;

  /** A span that took longer is not interpolated: each of its versions is asked for. */
  private static final Duration LONGEST = Duration.ofSeconds(2);

  /** Spans that are remembered: readers of several partitions are at several places. */
  private static final int SPANS = 64;

  private final LongFunction<Instant> store;
  private final AtomicReferenceArray<@Nullable Span> known = new AtomicReferenceArray<>(SPANS);

  /** Whether a version is a microsecond, as far as is known. */
  private volatile boolean regular = true;

  /** Versions from {@code from} on and before {@code to}, and the times of both. */
  private record Span(long from, long to, Instant start, Instant end) {
    boolean has(long version) {
      return version >= from && version < to;
    }

    boolean isRegular() {
      return start.plus(to - from, ChronoUnit.MICROS).equals(end);
    }

    boolean isShort() {
      return !end.isBefore(start) && Duration.between(start, end).compareTo(LONGEST) <= 0;
    }

    Instant at(long version) {
      long micros = start.until(end, ChronoUnit.MICROS);
      return start.plus(micros * (version - from) / (to - from), ChronoUnit.MICROS);
    }
  }

  /** Times that {@code store} knows. */
  public CommitTimes(LongFunction<Instant> store) {
    this.store = store;
  }

  /** The time of {@code version}. */
  public Instant of(long version) {
    Span span = regular ? span(version, SPAN_MICROS) : null;
    if (span != null && !span.isRegular()) {
      regular = false;
      span = null;
    }
    if (span == null) {
      span = span(version, SPAN_INTERPOLATED);
    }
    return span != null && (span.isRegular() || span.isShort())
        ? span.at(version)
        : store.apply(version);
  }

  /** The span of {@code version}; null if it would go beyond all versions. */
  private @Nullable Span span(long version, long length) {
    long number = Math.floorDiv(version, length);
    int slot = (int) Math.floorMod(number, (long) SPANS);
    Span found = known.get(slot);
    if (found != null && found.has(version)) {
      return found;
    }
    if (version < 0 || version > Long.MAX_VALUE - length) {
      return null;
    }
    long from = number * length;
    Span asked = new Span(from, from + length, store.apply(from), store.apply(from + length));
    known.set(slot, asked);
    return asked;
  }
}
