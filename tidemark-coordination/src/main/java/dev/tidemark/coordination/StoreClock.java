package dev.tidemark.coordination;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The time of the store, as one process knows it.
 *
 * <p>Each commit gives a reading, because its version has a time. Between commits the process's own
 * steady clock goes on. The wall clocks of hosts, which may be wrong, are not used. It may lag
 * behind the store by the time that a commit takes, and by what the two clocks drift apart until
 * the next commit; it never goes back.
 */
public final class StoreClock implements StoreTime {
  private static final byte[] NOTHING = {};

  /** Commits that come sooner after the last reading are not read. */
  private static final Duration FRESH = Duration.ofSeconds(1);

  /** After so long without a commit the store is asked again, so that drift stays small. */
  private static final Duration TRUSTED = Duration.ofMinutes(1);

  /** A reading may lag by so much; more of it shows that the process paused. */
  private static final Duration LAG_MAX = Duration.ofMillis(500);

  private static final int ASKED_MAX = 3;

  private final Database database;
  private final Key tick;
  private final AtomicReference<@Nullable Reading> reading = new AtomicReference<>();
  private final AtomicReference<Instant> latest = new AtomicReference<>(Instant.EPOCH);

  /** A reading of the store's clock with that of the own clock, and how long it took. */
  private record Reading(Instant time, long nanos, long took) {
    Instant at(long now) {
      return time.plusNanos(Math.max(0, now - nanos));
    }

    boolean isOlderThan(Duration age, long now) {
      return now - nanos > age.toNanos();
    }
  }

  /**
   * A clock for {@code database}.
   *
   * @param tick the key that is written to get the time if nothing was committed
   */
  public StoreClock(Database database, Key tick) {
    this.database = database;
    this.tick = tick;
  }

  /** The time of the store. Commits something if nothing was committed for a while. */
  @Override
  public Instant now() {
    Reading known = reading.get();
    if (known == null || known.isOlderThan(TRUSTED, database.time().nanos())) {
      known = ask();
    }
    Instant carried = known.at(database.time().nanos());
    return latest.updateAndGet(before -> carried.isAfter(before) ? carried : before);
  }

  /** A reading that took long may lag by as much: then it is repeated, a few times at most. */
  private Reading ask() {
    Reading best = askOnce();
    for (int i = 1; i < ASKED_MAX && best.took() > LAG_MAX.toNanos(); i++) {
      Reading next = askOnce();
      best = next.took() < best.took() ? next : best;
    }
    reading.set(best);
    return best;
  }

  private Reading askOnce() {
    long begin = database.time().nanos();
    Transaction committed =
        database.transact(
            tx -> {
              tx.nextWriteWithoutConflict();
              tx.set(tick, NOTHING);
              return tx;
            });
    long version = Commits.version(committed).orElseGet(this::latestVersion);
    long end = database.time().nanos();
    return new Reading(database.timeOf(version), end, end - begin);
  }

  /** No less than the version of what this process has committed, if that itself is not known. */
  private long latestVersion() {
    return database.read(ReadTransaction::readVersion);
  }

  /**
   * Takes a reading from {@code tx}, which was committed just now. Without an answer of the store
   * there is no reading: who committed must not hear of a failure for that.
   */
  public void observe(Transaction tx) {
    Reading known = reading.get();
    if (known != null && known.isOlderThan(FRESH, database.time().nanos())) {
      try {
        Commits.version(tx).ifPresent(version -> learn(known, version));
      } catch (DatabaseException unanswered) {
        // A later commit gives a reading. After an interrupt the flag is set for the next wait.
      }
    }
  }

  /** A commit that became known late would set the clock back, so it gives no reading. */
  private void learn(Reading known, long version) {
    long now = database.time().nanos();
    Instant time = database.timeOf(version);
    if (!time.plus(LAG_MAX).isBefore(known.at(now))) {
      reading.compareAndSet(known, new Reading(time, now, 0));
    }
  }
}
