package dev.tidemark.changes.internal.delivery;

import dev.tidemark.kv.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Deliveries that wait for the program to take them. Their number is bounded by the limit of what
 * is in flight.
 */
public final class HandOff implements Call {
  private final BlockingQueue<PendingDelivery> queue = new LinkedBlockingQueue<>();
  private final Gate gate;
  private final TimeSource time;

  /** An empty queue. */
  public HandOff(Gate gate, TimeSource time) {
    this.gate = gate;
    this.time = time;
  }

  @Override
  public void invoke(List<PendingDelivery> deliveries) {
    queue.addAll(deliveries);
  }

  /** The next delivery, if one comes within {@code wait}; none after the reader was stopped. */
  public Optional<PendingDelivery> take(Duration wait) throws InterruptedException {
    PendingDelivery next = queue.poll(wait.toNanos(), TimeUnit.NANOSECONDS);
    while (next != null && gate.awaitOpen()) {
      if (next.begin(time.nanos())) {
        return Optional.of(next);
      }
      next = queue.poll();
    }
    return Optional.empty();
  }
}
