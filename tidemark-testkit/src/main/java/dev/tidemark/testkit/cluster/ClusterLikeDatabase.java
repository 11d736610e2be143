package dev.tidemark.testkit.cluster;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.testkit.decorate.ForwardingDatabase;
import dev.tidemark.testkit.faults.FaultyDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * A database that acts like a FoundationDB cluster where a cluster acts otherwise than the engines
 * of this project, within what {@code dev.tidemark.kv} promises. A layer whose tests pass here is
 * ready for a cluster, without one.
 *
 * <ul>
 *   <li>Versions begin near a thousand million and jump at a {@link #recover recovery};
 *       transactions that have read before it are too old.
 *   <li>A read that fails with 1007, 1009 or 1036 fails the commit too, also one that went {@link
 *       #readingAhead ahead} of the program.
 *   <li>A versionstamped key that the transaction clears again lies, until the commit, where a
 *       stamp of the version that is read would put it. A clear of later keys leaves it.
 *   <li>A versionstamped key always conflicts with its readers, also after {@link
 *       Transaction#nextWriteWithoutConflict}.
 *   <li>A transaction that only writes is too old if the version that was set for it is gone.
 *   <li>Each write counts 80 bytes more than its key and value, and again if it is repeated; what
 *       is too large is refused at the commit.
 *   <li>Transactions take a while to {@link #beginningAfter begin}, where that is asked for.
 *   <li>The result of a commit can be unknown, so that ids of commits lie among the keys. To have
 *       commits end so, decorate a {@link FaultyDatabase}.
 * </ul>
 *
 * <p>A cluster's wrong answers to selectors behind a cleared key of its own transaction (after a
 * COMPARE_AND_CLEAR) are not imitated.
 */
public final class ClusterLikeDatabase extends ForwardingDatabase {
  private final ClusterTime clock;
  private final boolean readsAhead;
  private final int recoverEvery;
  private final Duration beginning;
  private final AtomicLong commits = new AtomicLong();

  private ClusterLikeDatabase(
      Database delegate,
      ClusterTime clock,
      boolean readsAhead,
      int recoverEvery,
      Duration beginning) {
    super(delegate);
    this.clock = clock;
    this.readsAhead = readsAhead;
    this.recoverEvery = recoverEvery;
    this.beginning = beginning;
  }

  /** {@link #over(TimeSource, Function)} by the machine's clock. */
  public static ClusterLikeDatabase over(Function<TimeSource, Database> engine) {
    return over(TimeSource.system(), engine);
  }

  /**
   * A database on an engine that takes its versions from the clock that {@code engine} is given, as
   * the embedded one does. It is closed with this.
   *
   * @param time the clock that programs and the read window live by
   */
  public static ClusterLikeDatabase over(TimeSource time, Function<TimeSource, Database> engine) {
    ClusterTime clock = new ClusterTime(time);
    return new ClusterLikeDatabase(engine.apply(clock), clock, false, 0, Duration.ZERO);
  }

  /**
   * The same, with scans that read their next rows before they are asked for, as a cluster's client
   * does.
   */
  public ClusterLikeDatabase readingAhead() {
    return new ClusterLikeDatabase(delegate, clock, true, recoverEvery, beginning);
  }

  /** The same, with a recovery before every {@code commits}th commit. */
  public ClusterLikeDatabase recoveringEvery(int commits) {
    return new ClusterLikeDatabase(delegate, clock, readsAhead, commits, beginning);
  }

  /**
   * The same, with transactions that each take {@code wait} to begin. A cluster whose proxies are
   * asked for versions in batches takes some milliseconds, in which other processes go on.
   */
  public ClusterLikeDatabase beginningAfter(Duration wait) {
    return new ClusterLikeDatabase(delegate, clock, readsAhead, recoverEvery, wait);
  }

  /** Makes versions jump; transactions that have read before are too old. */
  public void recover() {
    clock.recover();
  }

  int recoveries() {
    return clock.recoveries();
  }

  boolean readsAhead() {
    return readsAhead;
  }

  /** Called before each commit that writes something. */
  void beforeCommit() {
    if (recoverEvery > 0 && commits.incrementAndGet() % recoverEvery == 0) {
      recover();
    }
  }

  /** The database below, whose transactions do not act like a cluster's. */
  Database engine() {
    return delegate;
  }

  @Override
  public Transaction begin(TransactionOptions options) {
    try {
      if (!beginning.isZero()) {
        time().sleep(beginning);
      }
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException(
          "Interrupted while a version was asked for", interrupt);
    }
    return new ClusterLikeTransaction(this, delegate.begin(options), options);
  }

  @Override
  public boolean commitCanBeUnknown() {
    return true;
  }

  @Override
  public Instant timeOf(long version) {
    return Instant.EPOCH.plus(clock.microsOf(version), ChronoUnit.MICROS);
  }

  @Override
  public long versionAt(Instant instant) {
    return clock.versionAt(ChronoUnit.MICROS.between(Instant.EPOCH, instant));
  }

  @Override
  public TimeSource time() {
    return clock.real();
  }
}
