package dev.tidemark.pulse.internal.pool.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.internal.kv.KvBackend;
import dev.tidemark.pulse.internal.pool.rows.Membership;
import dev.tidemark.pulse.internal.pool.rows.PoolKeys;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.pulse.pool.Worker;
import dev.tidemark.pulse.pool.WorkerInfo;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A slot of a live node without a worker, as one leaves behind that was added without an answer.
 */
class StraySlotsTest {
  private static final Subspace SPACE = Subspace.of("pulse");
  private static final int JOBS = 20;

  @Test
  void jobsThatGoToASlotWithoutAWorkerRunElsewhere() throws InterruptedException {
    Set<String> ran = ConcurrentHashMap.newKeySet();
    CountDownLatch all = new CountDownLatch(JOBS);
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory();
        Pulse pulse = Pulse.on(database, SPACE);
        RowStore rows = new KvBackend(database, SPACE).pool("p");
        PoolNode node = pulse.pool("p", o -> o.withWorkerTtl(Duration.ofMillis(600)))) {
      Worker worker =
          node.addRunner(
              job -> {
                if (ran.add(job.key())) {
                  all.countDown();
                }
              });
      addWithoutAnswer(rows, PoolKeys.worker(node.id(), 77));
      for (int i = 0; i < JOBS; i++) {
        node.dispatch("job-" + i, new byte[0]);
      }

      assertThat(all.await(30, TimeUnit.SECONDS)).as("only %s ran", ran).isTrue();
      assertThat(node.workers()).extracting(WorkerInfo::id).containsExactly(worker.id());
    }
  }

  private static void addWithoutAnswer(RowStore rows, String worker) {
    rows.transact(
        change -> {
          Membership.addWorker(change, worker);
          return worker;
        });
  }
}
