package dev.tidemark.remote.internal;

import dev.tidemark.remote.ClientLimits;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The requests of one session that are being worked on, none of them by the thread of gRPC. */
final class WorkUnderWay {
  private final ClientLimits limits;
  private final Runnable onEnd;
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();

  /** Nothing yet; {@code onEnd} is told whenever some of it has ended. */
  WorkUnderWay(ClientLimits limits, Runnable onEnd) {
    this.limits = limits;
    this.onEnd = onEnd;
  }

  boolean isEmpty() {
    return requests.get() == 0;
  }

  /** Bytes of all of them. */
  long bytes() {
    return bytes.get();
  }

  /** Whether there may be more. */
  boolean hasRoom() {
    return requests.get() < limits.requests() && bytes.get() < limits.bytes();
  }

  /** Counts a request of {@code size} bytes until what is returned is run. */
  Runnable begin(int size) {
    requests.incrementAndGet();
    bytes.addAndGet(size);
    return () -> {
      requests.decrementAndGet();
      bytes.addAndGet(-size);
      onEnd.run();
    };
  }
}
