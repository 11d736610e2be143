package dev.tidemark.pulse.internal.pool.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.Rows;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.pool.PoolOptions;
import dev.tidemark.pulse.pool.RetryPolicy;
import dev.tidemark.testkit.junit.DatabaseExtension;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What happens at the times of a cron schedule, with times made up. */
class CronsTest {
  private static final long MINUTE = 60_000;
  private static final PoolConfig CONFIG = PoolConfig.of(PoolOptions.DEFAULTS.withQueuedMax(1));

  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  private RowStore store;

  @BeforeEach
  void open(Database db) {
    store = RowStore.in(db, Subspace.of("pool"));
    put(MINUTE);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void put(long next) {
    store.transact(
        rows -> {
          byte[] payload = {7};
          Crons.put(rows, "each", new Crons.CronRow("* * * * *", "UTC", "job", payload, next));
          return next;
        });
  }

  private void fire(long due, long now) {
    store.transact(
        rows -> {
          Crons.Moment moment = new Crons.Moment(due, now, MINUTE);
          Crons.fire(rows, "each", moment, CONFIG, RetryPolicy.NONE);
          return now;
        });
  }

  private boolean hasJob() {
    return store.read(rows -> JobTable.get(rows, "job")).isPresent();
  }

  private void removeJob() {
    store.transact(
        rows -> {
          JobTable.remove(rows, "job", JobTable.get(rows, "job").orElseThrow());
          return true;
        });
  }

  private List<Long> due() {
    List<Tuple> keys =
        store.read(rows -> rows.scan(PoolKeys.DUE, 10)).stream().map(Rows.Row::key).toList();
    return keys.stream().map(key -> key.getLong(1)).toList();
  }

  @Test
  void jobIsDispatchedAtItsTimeAndTheNextTimeIsSet() {
    assertThat(due()).containsExactly(MINUTE);
    fire(MINUTE, MINUTE + 5);

    assertThat(hasJob()).isTrue();
    Optional<byte[]> payload = store.read(rows -> rows.get(PoolKeys.payload("job")));
    assertThat(payload.orElseThrow()).containsExactly(7);
    assertThat(due()).containsExactly(2 * MINUTE);
  }

  @Test
  void timeIsSkippedWhileTheJobOfTheTimeBeforeIsThere() {
    fire(MINUTE, MINUTE);
    fire(2 * MINUTE, 2 * MINUTE);
    assertThat(due()).containsExactly(3 * MINUTE);

    removeJob();
    fire(3 * MINUTE, 3 * MINUTE);
    assertThat(hasJob()).isTrue();
  }

  @Test
  void timeIsSkippedWhileThePoolIsFull() {
    store.transact(
        rows ->
            Dispatching.dispatch(
                rows,
                new Dispatching.Request(
                    "other", new byte[0], null, RetryPolicy.NONE, null, null, 0),
                CONFIG,
                0));
    fire(MINUTE, MINUTE);

    assertThat(hasJob()).isFalse();
    assertThat(due()).containsExactly(2 * MINUTE);
  }

  @Test
  void timesThatPassedWhileNobodyWasThereAreSkipped() {
    fire(MINUTE, 10 * MINUTE + 5);

    assertThat(hasJob()).isFalse();
    assertThat(due()).containsExactly(11 * MINUTE);
  }

  @Test
  void timeOfAScheduleThatWasReplacedOrRemovedDoesNothing() {
    put(5 * MINUTE);
    assertThat(due()).containsExactly(5 * MINUTE);
    fire(MINUTE, MINUTE);
    assertThat(hasJob()).isFalse();

    boolean removed = store.transact(rows -> Crons.remove(rows, "each"));
    assertThat(removed).isTrue();
    assertThat(due()).isEmpty();
    fire(5 * MINUTE, 5 * MINUTE);
    assertThat(hasJob()).isFalse();
  }
}
