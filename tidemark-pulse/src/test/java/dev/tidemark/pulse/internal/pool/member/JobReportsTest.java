package dev.tidemark.pulse.internal.pool.member;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.pulse.internal.kv.KvBackend;
import dev.tidemark.pulse.pool.PoolException;
import dev.tidemark.pulse.pool.PoolOptions;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.decorate.ForwardingDatabase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What workers tell a store that fails for a while. Pauses pass at once. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class JobReportsTest {
  private static final int FAILURES = 200;

  @Test
  void reportIsKeptUntilTheStoreTakesIt() {
    ManualTime time = ManualTime.selfAdvancing();
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory(o -> o.withTime(time))) {
      List<PoolException> errors = new CopyOnWriteArrayList<>();
      PoolCore core =
          PoolCore.open(
              new KvBackend(new FullDisk(database), Subspace.of("pulse")),
              "pool",
              PoolOptions.DEFAULTS.withOnError(errors::add));
      AtomicInteger carriedOut = new AtomicInteger();
      try (JobReports reports = new JobReports(core, "node", () -> {})) {
        boolean held =
            reports.await(
                "job",
                (rows, now) -> {
                  carriedOut.incrementAndGet();
                  return true;
                });

        assertThat(held).isTrue();
        assertThat(carriedOut).hasValue(1);
        assertThat(errors)
            .hasSize(FAILURES)
            .first()
            .extracting(Throwable::getMessage)
            .asString()
            .contains("not stored yet", "the disk is full");
      } finally {
        core.rows().close();
      }
    }
  }

  @Test
  void errorDoesNotEndTheReports() {
    AtomicInteger attempts = new AtomicInteger();
    AtomicInteger givenUp = new AtomicInteger();
    try (Case one = new Case(givenUp::incrementAndGet)) {
      boolean held = one.reports.await("job", (rows, now) -> failUntil(attempts, 4));

      assertThat(held).isTrue();
      assertThat(givenUp).hasValue(0);
      assertThat(one.errors).hasSize(3);
    }
  }

  @Test
  void nodeWhoseReportsFailWithErrorsAgainAndAgainGivesUpItsLease() {
    AtomicInteger attempts = new AtomicInteger();
    AtomicInteger givenUp = new AtomicInteger();
    try (Case one = new Case(givenUp::incrementAndGet)) {
      boolean held = one.reports.await("job", (rows, now) -> failUntil(attempts, 1_000));

      assertThat(held).isFalse();
      eventually("the lease is given up", () -> givenUp.get() == 1);
      assertThat(one.reports.await("other", (rows, now) -> true)).isTrue();
    }
  }

  private static boolean failUntil(AtomicInteger attempts, int last) {
    if (attempts.incrementAndGet() < last) {
      throw new StackOverflowError("on purpose");
    }
    return true;
  }

  /** Reports of one node on a store that works. */
  private static final class Case implements AutoCloseable {
    final List<PoolException> errors = new CopyOnWriteArrayList<>();
    final JobReports reports;
    private final EmbeddedDatabase database;
    private final PoolCore core;

    Case(Runnable giveUp) {
      ManualTime time = ManualTime.selfAdvancing();
      this.database = EmbeddedDatabase.inMemory(o -> o.withTime(time));
      this.core =
          PoolCore.open(
              new KvBackend(database, Subspace.of("pulse")),
              "pool",
              PoolOptions.DEFAULTS.withOnError(errors::add));
      this.reports = new JobReports(core, "node", giveUp);
    }

    @Override
    public void close() {
      reports.close();
      core.rows().close();
      database.close();
    }
  }

  /** A store whose first transactions fail, and not in passing. */
  private static final class FullDisk extends ForwardingDatabase {
    private final AtomicInteger failures = new AtomicInteger(FAILURES);

    FullDisk(EmbeddedDatabase database) {
      super(database);
    }

    @Override
    public Transaction begin(TransactionOptions options) {
      if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new StorageException(StorageException.Kind.DISK_FULL, "the disk is full", null);
      }
      return super.begin(options);
    }

    @Override
    public void close() {}
  }
}
