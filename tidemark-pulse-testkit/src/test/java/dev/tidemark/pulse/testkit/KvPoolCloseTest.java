package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.testkit.decorate.ForwardingDatabase;
import dev.tidemark.testkit.junit.DatabaseExtension;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nodes that close before they have seen what was assigned to them. */
class KvPoolCloseTest extends PoolConformance {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  @Override
  protected Pulse open() {
    return Pulse.on(databases.database());
  }

  /** A database that keeps the threads which look for work waiting while it is held. */
  private static final class HeldDatabase extends ForwardingDatabase {
    private volatile CountDownLatch gate = new CountDownLatch(0);

    HeldDatabase(Database delegate) {
      super(delegate);
    }

    void hold() {
      gate = new CountDownLatch(1);
    }

    void release() {
      gate.countDown();
    }

    @Override
    public Transaction begin(TransactionOptions options) {
      if (Thread.currentThread().getName().startsWith("pulse-node-")) {
        try {
          gate.await();
        } catch (InterruptedException interrupt) {
          Thread.currentThread().interrupt();
          throw new InterruptedOperationException("Interrupted while held", interrupt);
        }
      }
      return super.begin(options);
    }
  }

  @Test
  void closeHandsBackWhatWasAssignedAndNotSeenWhileAnotherJobRuns() throws Exception {
    HeldDatabase held = new HeldDatabase(databases.database());
    CountDownLatch gate = new CountDownLatch(1);
    List<String> ran = new CopyOnWriteArrayList<>();
    PoolNode two = node();
    try (Pulse pulse = Pulse.on(held)) {
      PoolNode one = pulse.pool(POOL, quick());
      one.addRunner(
          job -> {
            gate.await();
            ran.add("one " + job.key());
          });
      one.dispatch("a", bytes(""));
      held.hold();
      Thread second = Thread.ofVirtual().start(() -> two.dispatch("b", bytes("")));
      eventually("it is assigned", () -> two.job("b").isPresent());

      Thread closing = Thread.ofVirtual().start(one::close);
      eventually("the worker has left", () -> two.workers().isEmpty());
      two.addRunner(job -> ran.add("two " + job.key()));
      eventually("the other one runs it", () -> ran.contains("two b"));
      assertThat(closing.isAlive()).as("it waits for the job that runs").isTrue();
      second.join();
      gate.countDown();
      held.release();
      closing.join();
    }

    eventually("both are done", () -> two.jobKeys().isEmpty());
    assertThat(ran).containsExactlyInAnyOrder("one a", "two b");
  }
}
