package dev.tidemark.pulse.internal.pool.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.Rows;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.pulse.pool.PoolClosedException;
import dev.tidemark.pulse.pool.RetryPolicy;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes that come and go, step by step; a step that is missing is a crash. */
class MembershipTest {
  private static final PoolConfig CONFIG = new PoolConfig(1_000, 200, 100);
  private static final long NOW = 1_700_000_000_000L;

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();
  private final RowStore store = RowStore.in(database, Subspace.of("pool"));

  @AfterEach
  void close() {
    store.close();
    database.close();
  }

  private void run(Consumer<Rows> step) {
    store.transact(
        rows -> {
          step.accept(rows);
          return true;
        });
  }

  private void dispatch(String key) {
    run(
        rows ->
            Dispatching.dispatch(
                rows,
                new Dispatching.Request(key, new byte[0], null, RetryPolicy.NONE, null, null, 0),
                CONFIG,
                NOW));
  }

  private JobState state(String key) {
    return store.read(rows -> JobTable.get(rows, key)).orElseThrow().state();
  }

  private Membership.ShutdownStep endShutdown() {
    return store.transact(rows -> Membership.endShutdown(rows, 10, NOW));
  }

  private Membership.ShutdownStep endAbandonedShutdown(long now) {
    return store.transact(rows -> Membership.endAbandonedShutdown(rows, 10, now));
  }

  @Test
  void lastNodeEndsAShutdownWhoseInitiatorIsGone() {
    run(rows -> Membership.join(rows, "a", CONFIG, NOW));
    run(rows -> Membership.join(rows, "b", CONFIG, NOW));
    dispatch("waits");
    run(rows -> Membership.beginShutdown(rows, NOW));

    assertThatThrownBy(() -> run(rows -> Membership.join(rows, "c", CONFIG, NOW)))
        .isInstanceOf(PoolClosedException.class);
    assertThatThrownBy(() -> dispatch("late")).isInstanceOf(PoolClosedException.class);
    run(rows -> Membership.leave(rows, "a"));
    assertThat(endShutdown()).isEqualTo(Membership.ShutdownStep.NODES_LEFT);
    run(rows -> Membership.leave(rows, "b"));
    assertThat(endShutdown()).isEqualTo(Membership.ShutdownStep.JOBS_LEFT);
    assertThat(endShutdown()).isEqualTo(Membership.ShutdownStep.ENDED);

    run(rows -> Membership.join(rows, "c", CONFIG, NOW));
    dispatch("waits");
    assertThat(state("waits")).isEqualTo(new JobState.Waiting());
  }

  @Test
  void nodeThatJoinsEndsAShutdownOfNodesThatAllDied() {
    run(rows -> Membership.join(rows, "a", CONFIG, NOW));
    run(rows -> Membership.addWorker(rows, "a.1"));
    run(
        rows ->
            Dispatching.dispatch(
                rows,
                new Dispatching.Request(
                    "job", new byte[0], null, RetryPolicy.NONE, null, "once", 1_000),
                CONFIG,
                NOW));
    run(rows -> Membership.beginShutdown(rows, NOW));

    long later = NOW + CONFIG.workerTtl() + 1;
    assertThat(endAbandonedShutdown(NOW)).isEqualTo(Membership.ShutdownStep.NODES_LEFT);
    assertThat(endAbandonedShutdown(later)).isEqualTo(Membership.ShutdownStep.JOBS_LEFT);
    assertThat(endAbandonedShutdown(later)).isEqualTo(Membership.ShutdownStep.ENDED);
    run(rows -> Membership.join(rows, "b", CONFIG, later));

    store.read(
        rows -> {
          assertThat(Membership.nodes(rows)).containsExactly("b");
          assertThat(Dispatching.slots(rows).isEmpty()).isTrue();
          assertThat(JobTable.get(rows, "job")).isEmpty();
          assertThat(QueueTokens.queued(rows)).isZero();
          byte[] once = rows.get(PoolKeys.ONCE.append("once")).orElseThrow();
          assertThat(JobOutcomes.Once.decode(once).done()).isTrue();
          return true;
        });
  }

  @Test
  void jobWhoseOwnerIsNotThereAtAllGetsAnother() {
    run(rows -> Membership.join(rows, "a", CONFIG, NOW));
    run(rows -> Membership.addWorker(rows, "a.1"));
    dispatch("job");
    run(rows -> rows.set(PoolKeys.RING, WorkerSlots.EMPTY.with("b.1").encode()));

    run(rows -> rows.set(PoolKeys.LEAVING.append("a.1"), new byte[0]));
    boolean tooSoon = store.transact(rows -> Repair.takeOrphan(rows, "job", "a.1"));
    assertThat(tooSoon).as("its worker is still leaving").isFalse();
    run(rows -> rows.clear(PoolKeys.LEAVING.append("a.1")));
    boolean taken = store.transact(rows -> Repair.takeOrphan(rows, "job", "a.1"));

    assertThat(taken).isTrue();
    assertThat(state("job")).isEqualTo(new JobState.Assigned("b.1"));
  }

  @Test
  void workerWhoseNodeIsNotThereLeavesTheRingAndItsJobsMove() {
    run(rows -> Membership.join(rows, "a", CONFIG, NOW));
    run(rows -> Membership.addWorker(rows, "a.1"));
    dispatch("job");
    run(rows -> rows.clear(PoolKeys.NODES.append("a")));
    run(rows -> Membership.join(rows, "b", CONFIG, NOW));
    run(rows -> Membership.addWorker(rows, "b.1"));

    run(Membership::removeStrays);
    assertThat(store.<List<String>>read(Membership::abandoned)).containsExactly("a.1");
    run(rows -> Membership.takeSome(rows, "a.1", 10));
    run(rows -> Membership.takeSome(rows, "a.1", 10));

    assertThat(state("job")).isEqualTo(new JobState.Assigned("b.1"));
    assertThat(store.<List<String>>read(Membership::abandoned)).isEmpty();
  }
}
