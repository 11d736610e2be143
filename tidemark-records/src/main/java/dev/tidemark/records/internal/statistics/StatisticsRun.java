package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Tuple;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.maintenance.StatisticsOptions;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One collection of statistics. What it has done is stored with the time of that; another one
 * within an hour leaves it out unless it is stale by now, and goes on where this one ended. Two at
 * a time do the same work twice and no harm.
 */
public final class StatisticsRun {
  private static final Duration RESUMED_WITHIN = Duration.ofHours(1);
  private static final long COUNTED_BYTES = 64 << 20;

  /** What has grown or shrunk by less than this is not stale, whatever share of it that is. */
  private static final long DRIFT_BYTES_MIN = 64 << 10;

  /** What has changed in fewer keys than this is not stale either. */
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
   * The same, where samples of what is larger than {@code countedBytes} are taken from pieces whose
   * numbers of rows follow from sizes, and are not counted.
   */
  public StatisticsRun(Space space, StatisticsOptions options, long countedBytes) {
    this.space = space;
    this.database = space.database();
    this.options = options;
    this.countedBytes = countedBytes;
  }

  /** Collects statistics of all there is. */
  public void collectAll() {
    collect(database.read(tx -> Target.all(space, tx)));
  }

  /** Collects what is missing or stale; answers whether there was any. */
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
    return age > options.ageMax().toNanos() / 1_000
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

  /** What a run that stored something not long ago has done. */
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

  /** What has another number in keys by now, was built anew meanwhile and is left out. */
  private void store(Transaction tx, Target target, KeyStatistics found) {
    boolean there = Target.all(space, tx).stream().anyMatch(other -> other.id() == target.id());
    if (!there) {
      return;
    }
    StoredStatistics.write(tx, space.keys().statistics(target.id()), found);
    Tuple done = renew(space, tx).append(target.id());
    tx.set(space.keys().statisticsRun(), done.pack());
  }

  /** Says that the run has come further, and answers its row. */
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
