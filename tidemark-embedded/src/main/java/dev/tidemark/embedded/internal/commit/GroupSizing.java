package dev.tidemark.embedded.internal.commit;

import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/*
 * Many writers that commit again at once can fall into two halves: while the disk is busy with one
 * half, the other gathers, and when that is taken, the first half has only just been woken. Every
 * sync then serves half of the writers. If the committer waits until the first half is back, every
 * sync serves all of them, at the price of that wait.
 *
 * Whether the writers come back is not known, so it is tried. The wait ends when as many commits
 * are there as there were writers at the end of the last group, when none came for two steps, or
 * after half of the time that the last group took. After a wait that brought too few, some groups
 * do not wait; the number of these doubles with each failure.
 *
 * Clients of a server need about as long for their next commit as a quick disk needs for a sync.
 * Then two halves that take turns are best, because neither the disk nor the clients ever wait for
 * long; but they must be halves. Without help they are a large part and a small one, and a small
 * group takes the disk nearly as long as a large one. So a group takes at most half of the known
 * writers, and the rest joins the others. Where clients are back in less than half of the time of
 * a sync, it is better to wait for all of them, as above; now and then this is tried.
 */

/**
 * Decides how many commits a group takes, and how long it waits for the writers of the last group.
 * Only the committer calls it.
 */
final class GroupSizing {
  /** Fewer writers gain little by a wait for each other. */
  private static final int LEAST = 8;

  /** A sync that is faster than this takes less time than the wait. */
  private static final long SLOW_NANOS = 200_000;

  /** The longest wait, also after a sync that took very long. */
  private static final long WAIT_NANOS_MAX = 2_000_000;

  /** A sync that is slower than this takes longer than clients need for their next commit. */
  private static final long QUICK_NANOS = 600_000;

  /** Fewer clients are not divided into halves. */
  private static final int LEAST_TO_DIVIDE = 16;

  /** Once in so many groups all commits are taken, to see how soon the clients are back. */
  private static final int UNDIVIDED_EVERY = 64;

  private static final int EMPTY_STEPS_MAX = 2;
  private static final int SKIPPED_MAX = 64;

  private final LongSupplier nanos;
  private final Runnable step;

  private int about;
  private int lastSize;
  private int inBoth;
  private long groups;
  private boolean soonBack;
  private long lastTook;
  private long lastEnded;
  private int skipped;
  private int skippedNext = 1;

  /**
   * Knows of no writers at first.
   *
   * @param nanos the time
   * @param step waits for a moment
   */
  GroupSizing(LongSupplier nanos, Runnable step) {
    this.nanos = nanos;
    this.step = step;
  }

  /** The most commits of clients that the next group takes. */
  int most() {
    if (soonBack
        || inBoth < LEAST_TO_DIVIDE
        || lastTook >= QUICK_NANOS
        || nanos.getAsLong() - lastEnded >= QUICK_NANOS
        || groups % UNDIVIDED_EVERY == 0) {
      return Integer.MAX_VALUE;
    }
    return (inBoth + 1) / 2;
  }

  /**
   * Waits for more commits, if the wait is likely to pay.
   *
   * @param size the size of the group so far
   * @param takeMore adds the commits that were enqueued meanwhile; returns the size of the group
   * @param isFull whether the group takes no more
   */
  void gather(int size, IntSupplier takeMore, BooleanSupplier isFull) {
    long begin = nanos.getAsLong();
    if (isFull.getAsBoolean() || !isWorthIt(size, begin)) {
      return;
    }
    long most = Math.min(lastTook / 2, WAIT_NANOS_MAX);
    int now = size;
    int emptySteps = 0;
    while (now < about
        && !isFull.getAsBoolean()
        && emptySteps < EMPTY_STEPS_MAX
        && nanos.getAsLong() - begin < most) {
      step.run();
      int before = now;
      now = takeMore.getAsInt();
      emptySteps = now > before ? 0 : emptySteps + 1;
    }
    if (!isFull.getAsBoolean()) {
      learn(size, now);
      soonBack = true; // Unless they are not all there by now.
    }
  }

  /** Notes that a group of {@code size} begins. */
  void begins(int size) {
    soonBack &= size >= about && nanos.getAsLong() - lastEnded <= lastTook / 2;
  }

  private boolean isWorthIt(int size, long now) {
    if (about < LEAST || size >= about || lastTook < SLOW_NANOS || now - lastEnded > lastTook) {
      return false;
    }
    if (skipped > 0) {
      skipped--;
      return false;
    }
    return true;
  }

  /** Learns whether a wait paid: at least half as many came as had waited. */
  private void learn(int waited, int all) {
    if (2 * (all - waited) >= waited) {
      skippedNext = 1;
    } else {
      skipped = skippedNext;
      skippedNext = Math.min(SKIPPED_MAX, 2 * skippedNext);
    }
  }

  /**
   * Notes the end of a group.
   *
   * @param size how many it had
   * @param waiting the commits that are queued for the next
   * @param took how long it took, in nanoseconds
   */
  void ended(int size, int waiting, long took) {
    groups++;
    about = size + waiting;
    // The writers of the group before are queued again, or on their way.
    inBoth = size + Math.max(waiting, lastSize);
    lastSize = size;
    lastTook = took;
    lastEnded = nanos.getAsLong();
  }
}
