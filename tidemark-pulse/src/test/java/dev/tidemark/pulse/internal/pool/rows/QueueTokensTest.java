package dev.tidemark.pulse.internal.pool.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.pool.PoolClient;
import dev.tidemark.pulse.pool.PoolFullException;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import dev.tidemark.testkit.junit.DatabaseExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The count of queued jobs while many dispatch at a time. */
class QueueTokensTest {
  private static final Subspace HOME = Subspace.of("pulse");
  private static final int THREADS = 16;
  private static final int EACH = 25;

  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  private static void inParallel(IntConsumer work) throws Exception {
    List<FutureTask<Boolean>> tasks = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      FutureTask<Boolean> task = new FutureTask<>(() -> work.accept(number), true);
      tasks.add(task);
      Thread.ofVirtual().start(task);
    }
    for (FutureTask<Boolean> task : tasks) {
      task.get(60, TimeUnit.SECONDS);
    }
  }

  private static void dispatchLater(PoolClient client, String key) {
    client.dispatch(key, new byte[0], o -> o.withDelay(Duration.ofHours(1)));
  }

  @Test
  void dispatchersDoNotMeetEachOther(Database database) throws Exception {
    FaultyDatabase counting = FaultyDatabase.over(database, FaultPlan.none());
    try (Pulse pulse = Pulse.on(counting, HOME)) {
      PoolClient client = pulse.poolClient("pool", o -> o.withQueuedMax(100_000));
      dispatchLater(client, "first");
      long before = counting.commits();
      inParallel(
          number -> {
            for (int i = 0; i < EACH; i++) {
              dispatchLater(client, number + "-" + i);
            }
          });

      assertThat(counting.commits() - before).isBetween((long) THREADS * EACH, THREADS * EACH + 5L);
    }
  }

  @Test
  void limitIsKeptWhenManyDispatchAtATime(Database database) throws Exception {
    int max = 100;
    AtomicInteger taken = new AtomicInteger();
    try (Pulse pulse = Pulse.on(database, HOME);
        RowStore store = RowStore.in(database, HOME.sub("p", "pool"))) {
      PoolClient client = pulse.poolClient("pool", o -> o.withQueuedMax(max));
      inParallel(
          number -> {
            for (int i = 0; i < EACH; i++) {
              try {
                dispatchLater(client, number + "-" + i);
                taken.incrementAndGet();
              } catch (PoolFullException full) {
                // What is checked below.
              }
            }
          });

      assertThat(taken).hasValue(max);
      assertThat((int) store.read(QueueTokens::queued)).isEqualTo(max);
      assertThatThrownBy(() -> dispatchLater(client, "one more"))
          .isInstanceOf(PoolFullException.class);
    }
  }
}
