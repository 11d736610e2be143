package dev.tidemark.embedded.internal.commit;

import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/*
 * Many writers that commit again as soon as they can fall into two halves by themselves: while the
 * disk is busy with one the other gathers, and when that is taken the first is only just awake.
 * Every sync then serves half of them. If the committer waits until the first half is back, every
 * sync serves all, at the price of the time that they take to come back.
 *
 * Whether they do is not known, so it is tried: the wait ends when as many are there as were about
 * at the end of the last group, when nobody came for two steps, or after half of the time that the
 * last group took. A wait that brought too few is not made again for a while, each time a longer one.
 *
 * Clients of a server are on their way for about as long as a quick disk takes. There two halves that
 * take turns are best, as neither the disk nor the clients ever wait for long: but they must be halves.
 * By themselves they are a large part and a small one, whichever came about, and a group of few takes
 * the disk nearly as long as one of many. So a group takes no more than half of those who are about,
 * and the rest joins the others. Where clients are back in less than half of the time that the disk
 * takes, it is better to wait for all of them, as above. Now and then this is tried.
 */

/**
 * Decides how many a group takes, and how long it waits for those who were in the last one. For the
 * committer alone.
 */
final class GroupSizing {
  /** So few writers gain little by waiting for each other. */
  private static final int LEAST = 8;

  /** A disk that is faster than this takes less than the wait. */
  private static final long SLOW_NANOS = 200_000;

  /** After a disk that stood still, too, nobody waits longer than this. */
  private static final long WAIT_NANOS_MAX = 2_000_000;

  /** A disk that is slower than this takes longer than clients do to come back. */
  private static final long QUICK_NANOS = 600_000;

  /** Fewer clients are not divided. */
  private static final int LEAST_TO_DIVIDE = 16;

  /** Every so many groups nobody is left to the next, to see how soon the others are back. */
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
   * Nobody is about at first.
   *
   * @param nanos the time
   * @param step waits for a moment
   */
  GroupSizing(LongSupplier nanos, Runnable step) {
    this.nanos = nanos;
    this.step = step;
  }

  /** How many commits of clients the next group takes at most. */
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
   * Waits for the others, if that is likely to be worth it.
   *
   * @param size how many the group has
   * @param takeMore takes those who have come; how many the group has then
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

  /** Those who were there have waited; it is worth it if at least half as many came. */
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
   * @param waiting how many are in line for the next
   * @param took how long it took, in nanoseconds
   */
  void ended(int size, int waiting, long took) {
    groups++;
    about = size + waiting;
    // Those of the group before are in line again, or on their way.
    inBoth = size + Math.max(waiting, lastSize);
    lastSize = size;
    lastTook = took;
    lastEnded = nanos.getAsLong();
  }
}
