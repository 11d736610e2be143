package dev.tidemark.grpc.internal.frames;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/*
 * Why threads are counted
 *
 * A frame costs both sides as much as a dozen small requests, so many threads should share one. A
 * thread that got its reply usually sends another request at once. So a sender waits for as many
 * threads as replies came in, and the last of these threads sends for all: a timer is needed only
 * if some of them do something else.
 *
 * With one frame for all threads, the server would be idle while the threads run, and the threads
 * while the server works. So a sender waits for half of them.
 */

/**
 * Counts the threads of a client that wait for replies. A sender estimates from it how many
 * requests are about to come.
 */
public final class Crowd {
  /** Fewer are not waited for. */
  private static final int MIN = 8;

  /** The frames after which the estimate decreases by one if threads have left. */
  private static final int FADES = 16;

  /** Threads that got their replies and have not sent again. */
  private final AtomicInteger awake = new AtomicInteger();

  /** Queued requests that a thread waits for. */
  private final AtomicInteger inLine = new AtomicInteger();

  /** The most that waited at once lately. Of two senders at once, one may not be counted. */
  private volatile int size;

  /** Frames sent. */
  private final AtomicLong frames = new AtomicLong();

  /** Notes an enqueued request. */
  public void came() {
    inLine.incrementAndGet();
    if (awake.get() > 0) {
      awake.updateAndGet(count -> Math.max(0, count - 1));
    }
  }

  /** Notes that {@code threads} are about to get their replies. */
  public void answered(int threads) {
    awake.addAndGet(threads);
  }

  /** Notes a frame of {@code requests}, while {@code waiting} threads wait for replies. */
  public void sent(int requests, long waiting) {
    inLine.addAndGet(-requests);
    int fading = frames.incrementAndGet() % FADES == 0 ? 1 : 0;
    size = (int) Math.max(waiting, size - fading);
  }

  /** Notes that {@code requests} left the queue without being sent. */
  public void left(int requests) {
    inLine.addAndGet(-requests);
  }

  /**
   * Notes that the threads that got replies send nothing, so that senders stop waiting for them.
   */
  public void stayedAway() {
    awake.set(0);
  }

  /** Whether a request should wait a moment for others. */
  public boolean isMoreToCome() {
    int lately = size;
    return lately >= MIN && awake.get() > 0 && inLine.get() < lately / 2;
  }
}
