package dev.tidemark.pulse.internal.stream;

import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.SinkStatistics;
import java.util.concurrent.atomic.LongAdder;

/** What an instance of a sink has done so far. Counted by all of its threads, without a lock. */
final class SinkCounts {
  private final LongAdder delivered = new LongAdder();
  private final LongAdder redelivered = new LongAdder();
  private final LongAdder acknowledged = new LongAdder();
  private final LongAdder acknowledgementsFailed = new LongAdder();
  private final LongAdder handlerFailures = new LongAdder();
  private final LongAdder fetchFailures = new LongAdder();
  private final LongAdder released = new LongAdder();
  private final LongAdder extended = new LongAdder();
  private final LongAdder returned = new LongAdder();
  private final LongAdder losses = new LongAdder();

  void delivered(Event event) {
    delivered.increment();
    if (event.deliveries() > 1) {
      redelivered.increment();
    }
  }

  void acknowledged(int events) {
    acknowledged.add(events);
  }

  void acknowledgementFailed(int events) {
    acknowledgementsFailed.add(events);
  }

  void handlerFailed() {
    handlerFailures.increment();
  }

  void fetchFailed() {
    fetchFailures.increment();
  }

  void released(int events) {
    released.add(events);
  }

  void extended(int events) {
    extended.add(events);
  }

  void returned(int events) {
    returned.add(events);
  }

  void lost() {
    losses.increment();
  }

  /** The counts, beside what is here now. */
  SinkStatistics with(int waiting, int running) {
    return new SinkStatistics(
        delivered.sum(),
        redelivered.sum(),
        acknowledged.sum(),
        acknowledgementsFailed.sum(),
        handlerFailures.sum(),
        fetchFailures.sum(),
        released.sum(),
        extended.sum(),
        returned.sum(),
        losses.sum(),
        waiting,
        running);
  }
}
