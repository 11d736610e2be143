package dev.tidemark.pulse.internal.stream;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.internal.spi.StreamStore;
import java.time.Duration;
import java.util.List;

/**
 * The events of one stream that come to an instance of a sink: those whose grace has passed, and
 * otherwise new ones.
 */
final class SinkSource implements FanIn.Source {
  private static final Duration SWEEP_MIN = Duration.ofMillis(10);
  private static final Duration SWEEP_MAX = Duration.ofSeconds(1);
  private static final int SWEEPS_PER_GRACE = 8;

  private final StreamStore.Group group;
  private final SinkOptions options;
  private final TimeSource time;
  private final SinkCounts counts;
  private final long sweepNanos;

  private volatile boolean closed;

  // Touched by the fetching thread alone.
  private long nextSweep;
  private long nextSignOfLife;

  SinkSource(StreamStore.Group group, SinkOptions options, TimeSource time, SinkCounts counts) {
    this.group = group;
    this.options = options;
    this.time = time;
    this.counts = counts;
    this.sweepNanos =
        Math.clamp(
            options.ackGrace().toNanos() / SWEEPS_PER_GRACE,
            SWEEP_MIN.toNanos(),
            SWEEP_MAX.toNanos());
    this.nextSweep = time.nanos();
    this.nextSignOfLife = nextSweep;
  }

  @Override
  public List<Event> fetch(Duration block) {
    try {
      return next(block);
    } catch (RuntimeException | Error failure) {
      if (!closed) {
        counts.fetchFailed();
      }
      throw failure;
    }
  }

  private List<Event> next(Duration block) {
    long deadline = time.nanos() + block.toNanos();
    while (!closed) {
      List<Event> again = sweep();
      if (!again.isEmpty()) {
        return again;
      }
      long left = Math.max(0, deadline - time.nanos());
      long untilSweep = Math.max(0, nextSweep - time.nanos());
      List<Event> fresh = claim(Duration.ofNanos(Math.min(left, untilSweep)));
      if (!fresh.isEmpty() || left == 0) {
        return fresh;
      }
    }
    return List.of();
  }

  /** After a failure what was claimed may have been given back, and is looked for at once. */
  private List<Event> claim(Duration block) {
    try {
      return group.claim(options.batchMax(), block);
    } catch (RuntimeException failure) {
      nextSweep = time.nanos();
      throw failure;
    }
  }

  /** Events whose grace has passed, if it is time to look for them. */
  private List<Event> sweep() {
    if (time.nanos() - nextSweep < 0) {
      return List.of();
    }
    if (time.nanos() - nextSignOfLife >= 0) {
      group.keepAlive();
      nextSignOfLife = time.nanos() + options.ackGrace().toNanos();
    }
    List<Event> again = group.reclaim(options.batchMax());
    if (again.isEmpty()) {
      nextSweep = time.nanos() + sweepNanos;
    }
    return again;
  }

  /** Without acknowledgements they count as delivered, and nobody would get them again. */
  @Override
  public boolean canGiveBack() {
    return !options.noAck();
  }

  /** They are looked for at once, so that they come before later ones if nobody else takes them. */
  @Override
  public void giveBack(List<Event> events) {
    group.giveBack(events);
    counts.returned(events.size());
    nextSweep = time.nanos();
  }

  @Override
  public void giveBackStranded() {
    group.giveBackStranded();
  }

  @Override
  public void close() {
    closed = true;
    group.close();
  }
}
