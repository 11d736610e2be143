package dev.tidemark.records.internal.migration;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.MigrationBusyException;
import dev.tidemark.records.maintenance.MigrationOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * The lease of migrations of a store. Every transaction of a migration reads it, so a program that
 * has lost it cannot commit, whatever the clocks say: they decide only when another program may
 * take it.
 */
final class MigrationLease {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

  private final Database database;
  private final Key key;
  private final MigrationOptions options;
  private final long holder = ThreadLocalRandom.current().nextLong();

  MigrationLease(Database database, Key key, MigrationOptions options) {
    this.database = database;
    this.key = key;
    this.options = options;
  }

  /** Takes the lease, and waits for it as long as the options allow. */
  void take() {
    long giveUp = database.time().nanos() + TimeUnit.NANOSECONDS.convert(options.patience());
    Optional<Instant> other = database.transact(this::tryTake);
    while (other.isPresent()) {
      if (database.time().nanos() - giveUp >= 0) {
        throw new MigrationBusyException(
            "Another program migrates the store; unless it goes on, its lease ends at %s. Try again then, or give MigrationOptions.patience"
                .formatted(other.get()));
      }
      pause();
      other = database.transact(this::tryTake);
    }
  }

  private void pause() {
    try {
      database.time().sleep(BETWEEN_LOOKS);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException(
          "Interrupted while another program migrates the store", interrupt);
    }
  }

  /** Takes the lease, or returns until when another program holds it. */
  private Optional<Instant> tryTake(Transaction tx) {
    Optional<Tuple> found = tx.get(key).map(Tuple::unpack);
    long now = database.time().wallMicros();
    if (found.isPresent() && found.get().getLong(0) != holder && found.get().getLong(1) > now) {
      return Optional.of(Instant.EPOCH.plus(found.get().getLong(1), ChronoUnit.MICROS));
    }
    write(tx, now);
    return Optional.empty();
  }

  private void write(Transaction tx, long now) {
    tx.set(
        key, Tuple.of(holder, now + TimeUnit.NANOSECONDS.convert(options.lease()) / 1_000).pack());
  }

  /**
   * Makes {@code tx} commit only while this program holds the lease, and renews the lease in time.
   */
  void hold(Transaction tx) {
    Optional<Tuple> found = tx.get(key).map(Tuple::unpack);
    if (found.isEmpty() || found.get().getLong(0) != holder) {
      throw new MigrationBusyException(
          "Another program has taken over the migration of the store: this one was silent for longer than its lease of %s"
              .formatted(options.lease()));
    }
    long now = database.time().wallMicros();
    if (found.get().getLong(1) - now < TimeUnit.NANOSECONDS.convert(options.lease()) / 2_000) {
      write(tx, now);
    }
  }

  /** Releases the lease, unless another program holds it. */
  void release() {
    database.run(
        tx -> {
          Optional<Tuple> found = tx.get(key).map(Tuple::unpack);
          if (found.isPresent() && found.get().getLong(0) == holder) {
            tx.clear(key);
          }
        });
  }
}
