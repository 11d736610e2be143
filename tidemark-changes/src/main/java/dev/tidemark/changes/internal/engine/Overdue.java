package dev.tidemark.changes.internal.engine;

import dev.tidemark.changes.ChangeReaderException;
import dev.tidemark.changes.ReaderOptions.OnAckTimeout;
import dev.tidemark.changes.internal.delivery.AckDeque;
import dev.tidemark.changes.internal.delivery.Entry;
import dev.tidemark.changes.internal.delivery.PendingDelivery;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Changes of one partition that the program does not acknowledge in time, and what the options say
 * about them. Any thread may use it.
 */
final class Overdue {
  private final Environment env;
  private final String partition;
  private final AckDeque deque;

  /** What may have to be delivered again. */
  private final Map<Entry, PendingDelivery> unacked = new ConcurrentHashMap<>();

  Overdue(Environment env, String partition, AckDeque deque) {
    this.env = env;
    this.partition = partition;
    this.deque = deque;
  }

  /** Keeps {@code delivery}, if it may have to be made again. */
  void watch(Entry entry, PendingDelivery delivery) {
    if (env.options().onAckTimeout() == OnAckTimeout.REDELIVER) {
      unacked.put(entry, delivery);
    }
  }

  /** Treats changes that were not acknowledged in time as the options say, once each. */
  void check() {
    long limit = env.options().time().nanos() - env.options().ackTimeout().toNanos();
    unacked.keySet().removeIf(entry -> !deque.isOpen(entry));
    for (Entry entry : deque.overdue(limit)) {
      env.counters().overdue.increment();
      switch (env.options().onAckTimeout()) {
        case WARN -> Log.overdue(partition, env.options().ackTimeout());
        case REDELIVER -> redeliver(entry);
        case FAIL ->
            env.failures()
                .accept(
                    new ChangeReaderException(
                        "A change of partition %s was not acknowledged within %s"
                            .formatted(partition, env.options().ackTimeout()),
                        null));
      }
    }
  }

  private void redeliver(Entry entry) {
    PendingDelivery delivery = unacked.get(entry);
    if (delivery != null) {
      env.counters().redeliveries.increment();
      env.outlet().again(delivery);
    }
  }

  /** Forgets all of them. */
  void clear() {
    unacked.clear();
  }
}
