package dev.tidemark.embedded.internal.resolve;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Transactions for the resolver alone: is the conflict check fast enough never to be what commits
 * wait for?
 *
 * <p>It lives in the engine's package because the resolver is nobody else's business. Footprints
 * are made outside the time that counts, as in the engine the threads of clients make them.
 */
public final class ResolverLoad {
  private static final int READS = 10;
  private static final int WRITES = 10;
  private static final int PORTION = 20_000;
  private static final int FORGET_EVERY = 64;

  /** Commits at 20,000 a second, in the clock's microseconds. */
  private static final long VERSIONS_PER_COMMIT = 50;

  private static final long WINDOW_VERSIONS = 5_000_000;

  /** How many commits ago a transaction read at most: some groups in flight. */
  private static final int AGE_COMMITS = 256;

  private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

  private final byte[][] sortedKeys;
  private final int ranges;
  private final SplittableRandom random;
  private final Resolver resolver = new Resolver(0, Long.MAX_VALUE);
  private long version = WINDOW_VERSIONS;
  private long conflicts;

  /**
   * A load on {@code sortedKeys}, of which each transaction reads ten, {@code ranges} of them as a
   * range up to the next key. The window of five seconds is full when this returns.
   */
  public ResolverLoad(byte[][] sortedKeys, int ranges, long seed) {
    this.sortedKeys = sortedKeys.clone();
    this.ranges = ranges;
    this.random = new SplittableRandom(seed);
    long commits = WINDOW_VERSIONS / VERSIONS_PER_COMMIT;
    for (long filled = 0; filled < commits; filled += PORTION) {
      nanosPerPortion();
    }
  }

  /** Transactions in one portion. */
  public static int portion() {
    return PORTION;
  }

  /** Transactions that met a conflict so far; with random keys there are some. */
  public long conflicts() {
    return conflicts;
  }

  /**
   * Checks and records one portion of transactions; returns the time on the processor that it took,
   * which other programs on the machine do not lengthen.
   */
  public long nanosPerPortion() {
    Footprint[] transactions = new Footprint[PORTION];
    for (int i = 0; i < PORTION; i++) {
      long age = random.nextLong(1, AGE_COMMITS + 1);
      transactions[i] = transaction(version + (i - age) * VERSIONS_PER_COMMIT);
    }
    long begin = CLOCK.getCurrentThreadCpuTime();
    for (int i = 0; i < PORTION; i++) {
      version += VERSIONS_PER_COMMIT;
      resolve(transactions[i]);
      if (i % FORGET_EVERY == 0) {
        resolver.forgetBefore(version - WINDOW_VERSIONS);
      }
    }
    return CLOCK.getCurrentThreadCpuTime() - begin;
  }

  private void resolve(Footprint transaction) {
    if (resolver.isTooOld(transaction.readVersion)) {
      throw new IllegalStateException("The window does not cover " + transaction.readVersion);
    }
    if (resolver.conflicts(transaction)) {
      conflicts++;
    } else {
      resolver.add(version, transaction);
    }
  }

  private Footprint transaction(long readVersion) {
    byte[][] begins = new byte[ranges][];
    byte[][] ends = new byte[ranges][];
    for (int i = 0; i < ranges; i++) {
      int at = random.nextInt(sortedKeys.length - 1);
      begins[i] = sortedKeys[at];
      ends[i] = sortedKeys[at + 1];
    }
    byte[][] writes = pick(WRITES);
    Arrays.sort(writes, Arrays::compareUnsigned);
    return new Footprint(
        readVersion,
        pick(READS - ranges),
        begins,
        ends,
        writes,
        Footprint.NO_KEYS,
        Footprint.NO_KEYS);
  }

  private byte[][] pick(int count) {
    byte[][] picked = new byte[count][];
    for (int i = 0; i < count; i++) {
      picked[i] = sortedKeys[random.nextInt(sortedKeys.length)];
    }
    return picked;
  }
}
