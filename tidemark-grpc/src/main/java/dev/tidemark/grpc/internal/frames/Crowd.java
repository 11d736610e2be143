package dev.tidemark.grpc.internal.frames;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/*
 * Why threads are counted
 *
 * A frame costs both sides as much as a dozen small requests, so that many threads had better share
 * one. A thread that got its reply usually asks for something else at once. So a sender waits for as
 * many threads as replies came in, and the last of them sends for all: no timer is needed, unless
 * some of them have better things to do.
 *
 * One frame for all threads would have the server idle while they run, and the threads while it
 * works. So half of them are enough.
 */

/** The threads of a client that wait for replies, by which a sender knows who is about to come. */
public final class Crowd {
  /** Fewer are not waited for. */
  private static final int MIN = 8;

  /** Frames in which a crowd that has left gets smaller by one. */
  private static final int FADES = 16;

  /** Threads that got their replies and have not come back. */
  private final AtomicInteger awake = new AtomicInteger();

  /** Requests in line that somebody waits for. */
  private final AtomicInteger inLine = new AtomicInteger();

  /** The most that waited at once lately. Of two senders at once, one may not be counted. */
  private volatile int size;

  /** Frames sent. */
  private final AtomicLong frames = new AtomicLong();

  /** Notes a request that is put in line. */
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

  /** Notes that {@code requests} are in line no more, though they were not sent. */
  public void left(int requests) {
    inLine.addAndGet(-requests);
  }

  /** Notes that those who are awake do not come, so that nobody waits for them again. */
  public void stayedAway() {
    awake.set(0);
  }

  /** Whether a request had better wait a moment for others. */
  public boolean isMoreToCome() {
    int lately = size;
    return lately >= MIN && awake.get() > 0 && inLine.get() < lately / 2;
  }
}
