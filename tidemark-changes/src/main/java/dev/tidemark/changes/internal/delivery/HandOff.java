package dev.tidemark.changes.internal.delivery;

import dev.tidemark.kv.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;

/**
 * Deliveries that wait for the program to take them. Their number is bounded by the limit of what
 * is in flight.
 */
public final class HandOff implements Call {
  private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final BlockingDeque<PendingDelivery> queue = new LinkedBlockingDeque<>();
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

  /**
   * The next delivery, if one comes within {@code wait}; none after the reader was stopped. It
   * stays in the queue until the gate is open, so that nothing is lost to an interrupt. For one
   * thread.
   */
  public Optional<PendingDelivery> take(Duration wait) throws InterruptedException {
    long left = TimeUnit.NANOSECONDS.convert(wait);
    while (!gate.isShut()) {
      long slice = Math.min(left, LOOK_AGAIN_NANOS);
      PendingDelivery next =
          gate.awaitOpen(slice) ? queue.pollFirst(slice, TimeUnit.NANOSECONDS) : null;
      if (next == null) {
        left -= slice;
        if (left <= 0) {
          return Optional.empty();
        }
      } else if (!gate.isOpen()) {
        queue.addFirst(next);
      } else if (next.begin(time.nanos(), gate)) {
        return Optional.of(next);
      }
    }
    return Optional.empty();
  }
}
