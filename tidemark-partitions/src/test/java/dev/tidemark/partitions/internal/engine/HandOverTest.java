package dev.tidemark.partitions.internal.engine;

import static dev.tidemark.partitions.internal.engine.EngineTest.reasonOf;
import static dev.tidemark.partitions.internal.engine.Fixture.P;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.Key;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.internal.engine.Fixture.Server;
import dev.tidemark.partitions.internal.store.CheckpointHeadRow;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.Phase;
import dev.tidemark.testkit.Eventually;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import dev.tidemark.testkit.model.ModelDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Splits, merges and moves, as far as they are a server's part. */
class HandOverTest {
  private static final Duration HOLD = Duration.ofMinutes(1);

  /** More commits than a server needs to stage a split. */
  private static final int COMMITS_MAX = 5;

  private Fixture cluster;
  private Server server;

  @BeforeEach
  void open() {
    cluster = new Fixture(ModelDatabase.open());
    cluster.assign(P, "n1", 1, PartitionRange.ALL);
    server = cluster.server("n1");
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void splitGivesEachHalfItsKeys() {
    server.send("set a low");
    server.send("set z high");
    Key at = server.host().stageSplit(P, 1, "p2", "op1", Optional.of(Key.utf8("m")), HOLD);
    assertThat(at).isEqualTo(Key.utf8("m"));
    flipSplit(at);
    server.host().refresh(List.of(P, "p2"));
    assertThat(server.send(P, 2, "get a")).isEqualTo("low");
    assertThat(server.send("p2", 1, "get z")).isEqualTo("high");
    assertThat(reasonOf(() -> server.send(P, 2, "get z"))).isEqualTo(Reason.MOVED);
    assertThat(reasonOf(() -> server.send(P, 1, "get a"))).isEqualTo(Reason.MOVED);
    assertThat(server.send("p2", 1, "set zz more")).isEqualTo("more");
  }

  private void flipSplit(Key at) {
    flipSplit(cluster, at);
  }

  private static void flipSplit(Fixture cluster, Key at) {
    cluster.database.run(
        tx -> {
          cluster.staging.apply(tx, "op1");
          tx.set(
              cluster.keys.ownership(P),
              Fixture.owner("n1", 2, PartitionRange.ALL.below(at)).encode());
          tx.set(
              cluster.keys.ownership("p2"),
              Fixture.owner("n1", 1, PartitionRange.ALL.above(at)).encode());
        });
  }

  @Test
  void splitWithoutAKeyTakesTheMiddleOfTheLoad() {
    for (char c = 'a'; c <= 'z'; c++) {
      server.send("set " + c + " x");
    }
    Key at = server.host().stageSplit(P, 1, "p2", "op1", Optional.empty(), HOLD);
    assertThat(at).isBetween(Key.utf8("f"), Key.utf8("t"));
  }

  @Test
  void splitAtAKeyOutsideIsRefusedAndRequestsGoOn() {
    server.send("set a low");
    assertThat(
            reasonOf(
                () -> server.host().stageSplit(P, 1, "p2", "op1", Optional.of(Key.EMPTY), HOLD)))
        .isEqualTo(Reason.INVALID);
    assertThat(server.send("set a other")).isEqualTo("other");
  }

  @Test
  void whatWasStagedIsVoidOnceTheServerHasGoneOn() {
    server.send("set a low");
    server.host().stageSplit(P, 1, "p2", "op1", Optional.of(Key.utf8("m")), HOLD);
    server.host().resume(P);
    assertThat(server.send("set z late")).isEqualTo("late");
    assertThatThrownBy(() -> flipSplit(Key.utf8("m"))).hasMessageContaining("not quiesced");
    assertThat(server.send("get z")).isEqualTo("late");
    server.host().stageSplit(P, 1, "p2", "op1", Optional.of(Key.utf8("m")), HOLD);
    flipSplit(Key.utf8("m"));
    assertThat(server.send("p2", 1, "get z")).isEqualTo("late");
  }

  @Test
  void holdEndsByItself() {
    server.send("set a low");
    server.host().quiesce(P, 1, Duration.ofMillis(30));
    assertThat(cluster.ownership(P).phase()).isEqualTo(Phase.QUIESCED);
    assertThat(server.send("set a high")).isEqualTo("high");
    assertThat(cluster.ownership(P).phase()).isEqualTo(Phase.SERVING);
  }

  @Test
  void requestsHeldBackAreRefusedWhenThePartitionHasMoved() throws Exception {
    server.send("set a red");
    server.host().quiesce(P, 1, HOLD);
    AtomicReference<Reason> refused = new AtomicReference<>();
    Thread writer =
        Thread.ofVirtual().start(() -> refused.set(reasonOf(() -> server.send("set a late"))));
    Eventually.eventually(
        "the request waits",
        () -> server.host().statistics().partitions().getFirst().queued() == 1);
    Server target = cluster.server("n2");
    target.host().prepare(P);
    migrate("n2", 2);
    target.host().refresh(List.of(P));
    server.host().refresh(List.of(P));
    writer.join();
    assertThat(refused).hasValue(Reason.MOVED);
    assertThat(target.send(P, 2, "get a")).isEqualTo("red");
    assertThat(reasonOf(() -> server.send("get a"))).isEqualTo(Reason.MOVED);
  }

  private void migrate(String node, long epoch) {
    cluster.database.run(
        tx -> {
          OwnershipRow old = cluster.staging.checkQuiesced(tx, P, epoch - 1);
          tx.set(cluster.keys.ownership(P), Fixture.owner(node, epoch, old.range()).encode());
        });
  }

  @Test
  void warmTargetReadsOnlyTheEndOfTheLog() {
    server.send("set a red");
    Server target = cluster.server("n2");
    assertThat(target.host().prepare(P)).isEqualTo(1);
    server.send("set b blue");
    assertThat(server.host().quiesce(P, 1, HOLD)).isEqualTo(2);
    migrate("n2", 2);
    assertThat(target.send(P, 2, "get a")).isEqualTo("red");
    assertThat(target.send(P, 2, "get b")).isEqualTo("blue");
  }

  @Test
  void warmTargetIsLoadedAgainAfterACheckpointOfTheSource() throws Exception {
    server.send("set a red");
    Server target = cluster.server("n2");
    target.host().prepare(P);
    server.send("set b blue");
    server.engine().close();
    Server again = cluster.server("n1");
    again.host().quiesce(P, 1, HOLD);
    migrate("n2", 2);
    assertThat(target.send(P, 2, "get b")).isEqualTo("blue");
    assertThat(target.send(P, 2, "get a")).isEqualTo("red");
  }

  @Test
  void readOfAServerThatHasQuiescedWaitsForTheFlip() {
    server.send("set a red");
    server.host().quiesce(P, 1, HOLD);
    migrate("n2", 2);
    Server target = cluster.server("n2");
    target.send(P, 2, "set a blue");
    server.host().resume(P);
    assertThat(reasonOf(() -> server.send("get a"))).isEqualTo(Reason.MOVED);
  }

  @Test
  void mergedPartitionHasTheKeysAndTheAnswersOfBoth() {
    cluster.assign("lower", "n1", 1, PartitionRange.ALL.below(Key.utf8("m")));
    cluster.assign("upper", "n1", 1, PartitionRange.from(Key.utf8("m")));
    server.send("lower", 1, "set a low");
    server.send("upper", 1, "set z high");
    server.host().stageMerge("lower", 1, "upper", 1, "op1", HOLD);
    cluster.database.run(
        tx -> {
          cluster.staging.apply(tx, "op1");
          tx.set(
              cluster.keys.ownership("lower"), Fixture.owner("n1", 2, PartitionRange.ALL).encode());
          tx.clear(cluster.keys.ownership("upper"));
        });
    server.host().refresh(List.of("lower", "upper"));
    assertThat(server.send("lower", 2, "get a")).isEqualTo("low");
    assertThat(server.send("lower", 2, "get z")).isEqualTo("high");
    assertThat(server.send("lower", 2, "set b more")).isEqualTo("more");
    assertThat(reasonOf(() -> server.send("upper", 1, "get z"))).isEqualTo(Reason.MOVED);
    server.engine().close();
    Server again = cluster.server("n1");
    assertThat(again.send("lower", 2, "get z")).isEqualTo("high");
  }

  @Test
  void onlyNeighboursAreMerged() {
    cluster.assign("lower", "n1", 1, PartitionRange.ALL.below(Key.utf8("k")));
    cluster.assign("upper", "n1", 1, PartitionRange.from(Key.utf8("m")));
    assertThat(reasonOf(() -> server.host().stageMerge("lower", 1, "upper", 1, "op1", HOLD)))
        .isEqualTo(Reason.INVALID);
    assertThat(server.send("lower", 1, "set a x")).isEqualTo("x");
  }

  @Test
  void discardedStageLeavesNothingBehind() {
    server.send("set a low");
    server.host().stageSplit(P, 1, "p2", "op1", Optional.of(Key.utf8("m")), HOLD);
    cluster.database.run(tx -> cluster.staging.discard(tx, "op1"));
    assertThat(
            cluster.database.<Boolean, RuntimeException>read(
                tx -> tx.scan(cluster.keys.checkpoints("p2")).first().isEmpty()))
        .isTrue();
    server.host().resume(P);
    assertThat(server.send("get a")).isEqualTo("low");
  }

  @Test
  void checkpointReplacesTheLogWhileRequestsGoOn() throws Exception {
    Server busy =
        cluster
            .with(EngineOptions.DEFAULTS.withCheckpoints(20, 1_000_000, Duration.ofMinutes(1)))
            .server("n1");
    EngineTest.inThreads(
        8,
        t -> {
          for (int i = 0; i < 50; i++) {
            busy.send("set k" + t + "." + i + " v");
          }
        });
    Eventually.eventually(
        "a checkpoint counts",
        () ->
            cluster
                .database
                .<Optional<byte[]>, RuntimeException>read(
                    tx -> tx.get(cluster.keys.checkpointHead(P)))
                .isPresent());
    CheckpointHeadRow head =
        cluster.database.read(
            tx -> CheckpointHeadRow.decode(tx.get(cluster.keys.checkpointHead(P)).orElseThrow()));
    assertThat(head.lsn()).isPositive();
    cluster.assign(P, "n2", 2, PartitionRange.ALL);
    Server next = cluster.server("n2");
    for (int t = 0; t < 8; t++) {
      for (int i = 0; i < 50; i++) {
        assertThat(next.send(P, 2, "get k" + t + "." + i)).isEqualTo("v");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void faultAtAnyCommitOfASplitLosesNothing(Fault fault) {
    for (int at = 1; at <= COMMITS_MAX; at++) {
      splitWithFault(fault, at);
    }
  }

  private static void splitWithFault(Fault fault, int at) {
    AtomicBoolean armed = new AtomicBoolean();
    AtomicInteger commits = new AtomicInteger();
    FaultPlan plan =
        commit ->
            armed.get() && commits.incrementAndGet() == at ? Optional.of(fault) : Optional.empty();
    try (Fixture cluster = new Fixture(ModelDatabase.open())) {
      cluster.assign(P, "n1", 1, PartitionRange.ALL);
      Server server = cluster.server("n1", () -> true, FaultyDatabase.over(cluster.database, plan));
      server.send("add a 1");
      server.send("add z 1");
      armed.set(true);
      boolean split = splitAndFlip(cluster, server);
      armed.set(false);
      if (split) {
        server.host().refresh(List.of(P, "p2"));
      } else {
        server.host().resume(P);
      }
      long epoch = split ? 2 : 1;
      String upper = split ? "p2" : P;
      assertThat(server.send(P, epoch, "add a 1")).as("%s at %d", fault, at).isEqualTo("2");
      assertThat(server.send(upper, 1, "add z 1")).as("%s at %d", fault, at).isEqualTo("2");
      server.engine().abandon();
      Server again = cluster.server("n1");
      assertThat(again.send(P, epoch, "get a")).as("%s at %d", fault, at).isEqualTo("2");
      assertThat(again.send(upper, 1, "get z")).as("%s at %d", fault, at).isEqualTo("2");
    }
  }

  /** Whether the split took effect; if not, nothing of it did. */
  private static boolean splitAndFlip(Fixture cluster, Server server) {
    try {
      server.host().stageSplit(P, 1, "p2", "op1", Optional.of(Key.utf8("m")), HOLD);
      flipSplit(cluster, Key.utf8("m"));
      return true;
    } catch (PartitionException refused) {
      return false;
    }
  }
}
