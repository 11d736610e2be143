package dev.tidemark.remote.internal.server;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/*
 * Why no client waits for others
 *
 * Half of the room is common: first come, first served. The other half is divided in equal shares,
 * one for each client that there may be, and a client that holds less than its share has room
 * whatever the others hold. So a client without room holds something, and looks again when some of
 * that is released; it needs no news of the others. Clients that never take their replies can fill
 * the common half until they are cut off; the others are slower until then, with little at a time.
 */

/** Memory for requests and replies, which all sessions of a server share. */
final class SharedRoom {
  private final long common;
  private final long share;
  private final AtomicLong held = new AtomicLong();

  /** Room for {@code bytes} and at most {@code sessions}. */
  SharedRoom(long bytes, int sessions) {
    this.common = bytes / 2;
    this.share = Math.max(1, bytes / 2 / sessions);
  }

  /** Bytes that all sessions hold. */
  long held() {
    return Math.max(0, held.get()); // A moment below, while two threads count the same session.
  }

  /** The part of one session. */
  final class Part {
    private final LongSupplier holding;
    private final AtomicLong counted = new AtomicLong();

    /** A part whose bytes {@code holding} counts. */
    Part(LongSupplier holding) {
      this.holding = holding;
    }

    /** Counts what the session holds now; tells whether it may have more beside {@code own}. */
    boolean countAndHasRoom(long own) {
      count();
      return own < share || held.get() < common;
    }

    /** Counts until it is right, since others may do so at the same time. */
    void count() {
      long now;
      do {
        now = holding.getAsLong();
        if (now != counted.get()) {
          held.addAndGet(now - counted.getAndSet(now));
        }
      } while (now != holding.getAsLong());
    }
  }
}
