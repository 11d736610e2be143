package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.maintenance.StatisticsOptions;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * One collection of statistics. It stores its progress with the time; another collection within an
 * hour skips what is done and not stale, and resumes where this one ended. Two concurrent
 * collections do the same work twice, without harm.
 */
public final class StatisticsRun {
  private static final Duration RESUMED_WITHIN = Duration.ofHours(1);
  private static final long COUNTED_BYTES = 64 << 20;

  /** The change of the size below which statistics are not stale, whatever fraction it is. */
  private static final long DRIFT_BYTES_MIN = 64 << 10;

  /** The number of changed keys below which statistics are not stale. */
  private static final long CHANGED_MIN = 500;

  private final Space space;
  private final Database database;
  private final StatisticsOptions options;
  private final long countedBytes;

  /** A collection in {@code space}. */
  public StatisticsRun(Space space, StatisticsOptions options) {
    this(space, options, COUNTED_BYTES);
  }

  /**
   * A collection in {@code space} that estimates the numbers of rows of types and indexes larger
   * than {@code countedBytes} from sizes.
   */
  public StatisticsRun(Space space, StatisticsOptions options, long countedBytes) {
    this.space = space;
    this.database = space.database();
    this.options = options;
    this.countedBytes = countedBytes;
  }

  /** Collects the statistics of all types and indexes. */
  public void collectAll() {
    collect(database.read(tx -> Target.all(space, tx)));
  }

  /** Collects missing and stale statistics, and returns whether there were any. */
  public boolean collectStale() {
    List<Target> stale =
        database.read(tx -> Target.all(space, tx)).stream().filter(this::isStale).toList();
    if (!stale.isEmpty()) {
      collect(stale);
    }
    return !stale.isEmpty();
  }

  private boolean isStale(Target target) {
    Optional<StoredStatistics.Age> known =
        database.read(
            tx -> StoredStatistics.readAge(tx.snapshot(), space.keys().statistics(target.id())));
    if (known.isEmpty()) {
      return true;
    }
    KeyStatistics.Origin origin = known.get().origin();
    long changed = known.get().changed();
    long age = database.time().wallMicros() - origin.micros();
    long drift = Math.abs(database.estimatedSize(target.rows()) - origin.bytes());
    return age > TimeUnit.NANOSECONDS.convert(options.ageMax()) / 1_000
        || (drift > DRIFT_BYTES_MIN && drift > options.driftMax() * origin.bytes())
        || (changed > CHANGED_MIN && changed > options.driftMax() * known.get().rows());
  }

  private void collect(List<Target> targets) {
    long now = database.time().wallMicros();
    Set<Integer> done = database.transact(tx -> begin(tx, targets, now));
    int finished = 0;
    for (Target target : targets) {
      if (!done.contains(target.id()) || isStale(target)) {
        Sampling.Place place = new Sampling.Place(finished, targets.size(), countedBytes);
        KeyStatistics found = new Sampling(space, target, options, place).run();
        database.run(tx -> store(tx, target, found));
      }
      finished++;
      if (Thread.interrupted()) {
        Thread.currentThread().interrupt();
        throw new InterruptedOperationException(
            "Interrupted while statistics were collected; another collection goes on from here",
            new InterruptedException());
      }
    }
    database.run(
        tx -> {
          tx.clear(space.keys().statisticsRun());
          space.dropStatistics(tx);
        });
  }

  /** The numbers of the types and indexes that a recent run has done. */
  private Set<Integer> begin(Transaction tx, List<Target> targets, long now) {
    Set<Integer> done = new HashSet<>();
    Optional<Tuple> run = tx.get(space.keys().statisticsRun()).map(Tuple::unpack);
    boolean recent =
        run.isPresent() && now - run.get().getLong(0) < RESUMED_WITHIN.toNanos() / 1_000;
    if (!recent) {
      tx.set(space.keys().statisticsRun(), Tuple.of(now).pack());
      targets.forEach(target -> tx.clear(space.keys().statistics(target.id()).drafts()));
      return done;
    }
    for (int i = 1; i < run.get().size(); i++) {
      done.add(run.get().getInt(i));
    }
    return done;
  }

  /**
   * Stores statistics, unless the index was built anew meanwhile and has another number in keys.
   */
  private void store(Transaction tx, Target target, KeyStatistics found) {
    boolean there = Target.all(space, tx).stream().anyMatch(other -> other.id() == target.id());
    if (!there) {
      return;
    }
    StoredStatistics.write(tx, space.keys().statistics(target.id()), found);
    Tuple done = renew(space, tx).append(target.id());
    tx.set(space.keys().statisticsRun(), done.pack());
  }

  /** Renews the time of the run, and returns its row. */
  static Tuple renew(Space space, Transaction tx) {
    Tuple renewed = Tuple.of(space.database().time().wallMicros());
    Tuple before = tx.get(space.keys().statisticsRun()).map(Tuple::unpack).orElse(renewed);
    for (int i = 1; i < before.size(); i++) {
      renewed = renewed.append(before.getInt(i));
    }
    tx.set(space.keys().statisticsRun(), renewed.pack());
    return renewed;
  }
}
