package dev.tidemark.pulse.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.Subspace;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.pulse.PoolException;
import dev.tidemark.pulse.PoolOptions;
import dev.tidemark.testkit.ForwardingDatabase;
import dev.tidemark.testkit.ManualTime;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What workers tell a store that fails for a while. Pauses pass at once. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class ReportsTest {
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
      try (Reports reports = new Reports(core, "node")) {
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
