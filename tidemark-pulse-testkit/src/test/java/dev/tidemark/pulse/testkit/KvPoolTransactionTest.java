package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.pool.Job;
import dev.tidemark.pulse.pool.JobExistsException;
import dev.tidemark.pulse.pool.JobInfo;
import dev.tidemark.pulse.pool.PoolFullException;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.pulse.pool.RetryPolicy;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import dev.tidemark.testkit.junit.DatabaseExtension;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jobs that join the transactions of their callers and of their effects. */
class KvPoolTransactionTest extends CutPoolConformance {
  private static final Key RECORD = Key.utf8("record");
  private static final Key COUNT = Key.utf8("count");

  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  @Override
  protected Pulse open() {
    return Pulse.on(databases.database());
  }

  @Override
  protected CutPulse openToCut() {
    return CutDatabase.pulse(databases.database());
  }

  private Database database() {
    return databases.database();
  }

  private long count() {
    return database()
        .read(tx -> tx.get(COUNT))
        .map(bytes -> ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong())
        .orElse(0L);
  }

  private static void countUp(Transaction tx) {
    tx.mutate(MutationType.ADD, COUNT, new byte[] {1, 0, 0, 0, 0, 0, 0, 0});
  }

  @Test
  void jobOfATransactionThatIsRolledBackNeverExists() {
    PoolNode node = node();
    RecordingHandler handler = new RecordingHandler();
    node.addWorker(handler);

    assertThatThrownBy(
            () ->
                database()
                    .transact(
                        tx -> {
                          tx.set(RECORD, bytes("saved"));
                          pulse().stream("orders").add(tx, "saved", "", bytes("1"));
                          node.dispatch(tx, "a", bytes("x"));
                          throw new IllegalStateException("changed my mind");
                        }))
        .hasMessage("changed my mind");

    assertThat(node.jobKeys()).isEmpty();
    assertThat(pulse().stream("orders").length()).isZero();
    assertThat(database().<Boolean, RuntimeException>read(tx -> tx.get(RECORD).isPresent()))
        .isFalse();
    node.dispatch("other", bytes(""));
    assertThat(handler.running()).containsExactly("other");
  }

  @Test
  void jobEventAndRecordOfATransactionAppearTogether() {
    PoolNode node = node();
    RecordingHandler handler = new RecordingHandler();
    node.addWorker(handler);

    database()
        .run(
            tx -> {
              tx.set(RECORD, bytes("saved"));
              pulse().stream("orders").add(tx, "saved", "", bytes("1"));
              node.dispatch(tx, "a", bytes("x"));
            });

    eventuallyRun(Set.of("a"), handler);
    assertThat(pulse().stream("orders").length()).isEqualTo(1);
    assertThatThrownBy(() -> database().run(tx -> node.dispatch(tx, "a", bytes(""))))
        .isInstanceOf(JobExistsException.class);
  }

  @Test
  void optionsOfAJobThatJoinsATransactionCount() {
    PoolNode node = node();
    AtomicInteger runs = new AtomicInteger();
    node.addRunner(
        job -> {
          runs.incrementAndGet();
          throw new IllegalStateException("always");
        });
    RetryPolicy twice = RetryPolicy.of(2, Duration.ofMillis(10));
    database()
        .run(
            tx -> {
              node.dispatch(tx, "later", bytes("x"), o -> o.withDelay(Duration.ofHours(1)));
              node.dispatch(tx, "twice", bytes("x"), o -> o.withRetry(twice));
            });

    JobInfo later = node.job("later").orElseThrow();
    assertThat(later.state()).isEqualTo(JobInfo.State.SCHEDULED);
    assertThat(later.due())
        .hasValueSatisfying(due -> assertThat(due).isAfter(later.createdAt().plusSeconds(3_599)));
    eventually("it has failed twice", () -> !node.deadJobs().isEmpty());
    assertThat(runs).hasValue(2);
    assertThat(node.deadJobs()).extracting(JobInfo::key).containsExactly("twice");
  }

  @Test
  void effectAndEndOfATransactionalJobAreOneCommit() {
    PoolNode node = node();
    node.addTransactionalRunner((tx, job) -> countUp(tx), 4);
    Set<String> keys = keys("job-", 20);
    dispatchAll(node, keys);

    eventually("all are done", () -> node.jobKeys().isEmpty());
    assertThat(count()).isEqualTo(20);
  }

  @Test
  void failedAttemptOfATransactionalJobHasNoEffect() {
    PoolNode node = node();
    AtomicInteger runs = new AtomicInteger();
    node.addTransactionalRunner(
        (tx, job) -> {
          countUp(tx);
          if (runs.incrementAndGet() < 3) {
            throw new IllegalStateException("crash before the commit");
          }
        },
        1);

    node.dispatch("a", bytes(""), o -> o.withRetry(RetryPolicy.of(5, Duration.ofMillis(10))));

    eventually("it is done", () -> node.jobKeys().isEmpty());
    assertThat(runs).hasValue(3);
    assertThat(count()).isEqualTo(1);
  }

  @Test
  void everyJobHasItsEffectOnceWhateverHappensToTheCommits() {
    FaultyDatabase faulty =
        FaultyDatabase.over(
            database(),
            FaultPlan.random(
                7,
                0.2,
                Fault.CONFLICT,
                Fault.UNKNOWN_COMMITTED,
                Fault.UNKNOWN_NOT_COMMITTED,
                Fault.TOO_OLD));
    try (Pulse pulse = Pulse.on(faulty)) {
      PoolNode node = node(pulse);
      node.addTransactionalRunner((tx, job) -> countUp(tx), 4);
      Set<String> keys = keys("job-", 40);
      dispatchAll(node, keys);

      eventually("all are done", () -> node.jobKeys().isEmpty());
      assertThat(node.deadJobs()).isEmpty();
      assertThat(count()).isEqualTo(40);
    }
  }

  @Test
  void jobThatANodeLostWhileItRanHasItsEffectOnce() {
    try (CutPulse cut = cuttable()) {
      PoolNode gone = node(cut.pulse());
      AtomicInteger runs = new AtomicInteger();
      gone.addTransactionalRunner(
          (tx, job) -> {
            runs.incrementAndGet();
            countUp(tx);
            cut.cut().run();
            while (!job.isLost()) {
              pause(Duration.ofMillis(10));
            }
          },
          1);
      client().dispatch("a", bytes("")); // its answer need not pass what is cut
      PoolNode node = node();
      node.addTransactionalRunner((tx, job) -> countUp(tx), 1);

      eventually("it is done", () -> node.jobKeys().isEmpty());
      cut.restore().run();
      pause(TTL);
      assertThat(runs).hasValueGreaterThan(0);
      assertThat(count()).isEqualTo(1);
    }
  }

  private void dispatchToAllShards(PoolNode node, String prefix) {
    for (int i = 0; i < 100; i++) {
      node.dispatch(prefix + i, bytes(""));
    }
  }

  @Test
  void longTransactionThatDispatchesDoesNotMeetOtherDispatches() {
    PoolNode node = node();
    RecordingHandler handler = new RecordingHandler();
    node.addWorker(handler);
    try (Transaction tx = database().begin()) {
      node.dispatch(tx, "long", bytes("x"));
      tx.get(RECORD);
      dispatchToAllShards(node, "other-");
      node.dispatch(tx, "longer", bytes("x"));
      tx.commit();
    }

    eventually(
        "its jobs run", () -> handler.running().containsAll(Set.of("long", "longer", "other-1")));
    for (String key : List.of("long", "longer")) {
      node.stop(key);
      node.dispatch(key, bytes("again"));
    }
    for (String key : List.of("long", "longer")) {
      assertThat(handler.starts().stream().filter(job -> job.key().equals(key)))
          .extracting(Job::epoch)
          .hasSize(2)
          .isSorted()
          .doesNotHaveDuplicates();
    }
    assertThat(handler.mistakes()).isEmpty();
  }

  @Test
  void longRunInATransactionDoesNotMeetDispatches() {
    PoolNode node = node();
    node.addWorker(new RecordingHandler());
    PoolNode runners = another().pool("runs", quick());
    AtomicInteger runs = new AtomicInteger();
    runners.addTransactionalRunner(
        (tx, job) -> {
          if (job.key().equals("long")) {
            runs.incrementAndGet();
            tx.get(RECORD);
            for (int i = 0; i < 100; i++) {
              runners.dispatch("other-" + i, bytes(""));
            }
            countUp(tx);
          }
        },
        200);
    runners.dispatch("long", bytes(""));

    eventually("it is done", () -> count() == 1);
    assertThat(runs).hasValue(1);
  }

  @Test
  void dispatchesInTransactionsAreCountedAsQueued() {
    PoolNode node = another().pool("small", quick().andThen(o -> o.withQueuedMax(3))::apply);
    for (String key : List.of("a", "b", "c")) {
      database().run(tx -> node.dispatch(tx, key, bytes("")));
    }
    assertThatThrownBy(() -> database().run(tx -> node.dispatch(tx, "d", bytes(""))))
        .isInstanceOf(PoolFullException.class);
    assertThatThrownBy(() -> node.dispatch("e", bytes(""))).isInstanceOf(PoolFullException.class);
    RecordingHandler handler = new RecordingHandler();
    node.addWorker(handler);
    eventually("they run", () -> handler.running().size() == 3);

    eventually("there is room", () -> hasRoom(node));
  }

  private boolean hasRoom(PoolNode node) {
    try {
      database().run(tx -> node.dispatch(tx, "d", bytes("")));
      return true;
    } catch (PoolFullException notYet) {
      return false;
    }
  }
}
