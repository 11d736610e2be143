package dev.tidemark.partitions.internal.engine;

import static dev.tidemark.partitions.internal.engine.Fixture.P;
import static dev.tidemark.partitions.internal.engine.Fixture.PATIENCE;
import static dev.tidemark.partitions.internal.engine.Fixture.TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tidemark.kv.Codec;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.partitions.ActorType;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.internal.engine.Fixture.Server;
import dev.tidemark.partitions.internal.log.RequestId;
import dev.tidemark.partitions.internal.log.StoreJournals;
import dev.tidemark.testkit.Eventually;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import dev.tidemark.testkit.model.ModelDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a partition's callers may rely on. */
class EngineTest {
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
  void valueIsReadAfterItWasSet() {
    assertThat(server.send("get a")).isEqualTo(WordActor.ABSENT);
    assertThat(server.send("set a red")).isEqualTo("red");
    assertThat(server.send("get a")).isEqualTo("red");
  }

  @Test
  void answeredWriteIsInTheLog() {
    server.send("set a red");
    assertThat(cluster.logHead(P).lsn()).isEqualTo(1);
    server.send("set a blue");
    assertThat(cluster.logHead(P).lsn()).isEqualTo(2);
  }

  @Test
  void nextOwnerHasEverythingFromTheLogAlone() {
    server.send("set a red");
    server.send("set a red2");
    cluster.assign(P, "n2", 2, PartitionRange.ALL);
    assertThat(cluster.server("n2").send(P, 2, "get a")).isEqualTo("red2");
  }

  @Test
  void concurrentWritersAllSucceed() throws Exception {
    int writers = 50;
    inThreads(writers, i -> server.send("set k" + i + " v" + i));
    for (int i = 0; i < writers; i++) {
      assertThat(server.send("get k" + i)).isEqualTo("v" + i);
    }
    assertThat(cluster.logHead(P).lsn()).isEqualTo(writers);
  }

  @Test
  void thousandWritersOfOnePartitionDoNotStall() throws Exception {
    inThreads(1_024, i -> server.send("add sum 1"));
    assertThat(server.send("get sum")).isEqualTo("1024");
  }

  @Test
  void panicReachesItsCallerOnlyAndLeavesNoTrace() {
    server.send("set a red");
    assertThat(reasonOf(() -> server.send("panic a half"))).isEqualTo(Reason.FAILED);
    assertThat(server.send("get a")).isEqualTo("red");
    cluster.assign(P, "n2", 2, PartitionRange.ALL);
    assertThat(cluster.server("n2").send(P, 2, "get a")).isEqualTo("red");
  }

  @Test
  void refusalKeepsTheActor() {
    server.send("set a red");
    assertThatThrownBy(() -> server.send("refuse a")).hasMessage("refused a");
    assertThat(server.send("get a")).isEqualTo("red");
  }

  @Test
  void repeatedRequestIsAnsweredAndNotExecuted() {
    RequestId id = new RequestId(Key.utf8("client"), 7, 0);
    assertThat(server.send(P, 1, "add n 5", Optional.of(id))).isEqualTo("5");
    assertThat(server.send(P, 1, "add n 5", Optional.of(id))).isEqualTo("5");
    assertThat(server.send("get n")).isEqualTo("5");
  }

  @Test
  void repeatedRequestIsAnsweredByTheNextOwnerToo() {
    RequestId id = new RequestId(Key.utf8("client"), 7, 0);
    server.send(P, 1, "add n 5", Optional.of(id));
    cluster.assign(P, "n2", 2, PartitionRange.ALL);
    Server next = cluster.server("n2");
    assertThat(next.send(P, 2, "add n 5", Optional.of(id))).isEqualTo("5");
    next.engine().close();
    cluster.assign(P, "n3", 3, PartitionRange.ALL);
    assertThat(cluster.server("n3").send(P, 3, "add n 5", Optional.of(id))).isEqualTo("5");
  }

  @Test
  void requestThatIsTooOldIsRefusedRatherThanExecutedAgain() {
    Server small =
        cluster
            .with(
                EngineOptions.DEFAULTS.withAnswers(
                    new EngineOptions.AnswerLimits(10, 3, Duration.ofMinutes(1))))
            .server("n1");
    Key client = Key.utf8("client");
    for (long i = 1; i <= 5; i++) {
      small.send(P, 1, "add n 1", Optional.of(new RequestId(client, i, 0)));
    }
    assertThat(
            reasonOf(() -> small.send(P, 1, "add n 1", Optional.of(new RequestId(client, 2, 0)))))
        .isEqualTo(Reason.FORGOTTEN);
    assertThat(small.send(P, 1, "add n 1", Optional.of(new RequestId(client, 3, 0))))
        .isEqualTo("3");
  }

  @Test
  void keyOutsideTheRangeIsRefused() {
    cluster.assign("p2", "n1", 1, PartitionRange.of(Key.utf8("b"), Key.utf8("m")));
    assertThat(server.send("p2", 1, "set c x")).isEqualTo("x");
    assertThat(reasonOf(() -> server.send("p2", 1, "set m x"))).isEqualTo(Reason.MOVED);
    assertThat(reasonOf(() -> server.send("p2", 1, "set a x"))).isEqualTo(Reason.MOVED);
  }

  @Test
  void requestWithAnotherEpochIsRefusedWithTheRoutingVersion() {
    server.send("set a red");
    PartitionException refused =
        catchThrowableOfType(PartitionException.class, () -> server.send(P, 9, "get a"));
    assertThat(refused.reason()).isEqualTo(Reason.MOVED);
    assertThat(refused.routingVersion()).hasValue(0);
  }

  @Test
  void unknownTypePartitionAndMalformedRequestAreRefused() {
    assertThat(reasonOf(() -> server.send("nowhere", 1, "get a"))).isEqualTo(Reason.MOVED);
    byte[] payload = "get a".getBytes(StandardCharsets.UTF_8);
    assertThat(
            reasonOf(
                () ->
                    server
                        .engine()
                        .send("none", P, 1, Key.utf8("a"), Optional.empty(), payload, PATIENCE)))
        .isEqualTo(Reason.NOT_FOUND);
    assertThat(
            reasonOf(
                () ->
                    server
                        .engine()
                        .send("plain", P, 1, Key.utf8("a"), Optional.empty(), payload, PATIENCE)))
        .isEqualTo(Reason.INVALID);
  }

  @Test
  void aCodecThatEndsWithAnErrorSpoilsOneRequestOnly() {
    Codec<String> broken =
        new Codec<>() {
          @Override
          public byte[] encode(String text) {
            return Codec.TEXT.encode(text);
          }

          @Override
          public String decode(byte[] bytes) {
            throw new NoClassDefFoundError("part of a request");
          }
        };
    ActorType<String, String> type =
        ActorType.of(TYPE, broken, Codec.TEXT, context -> new WordActor(true));
    try (Engine engine =
        new Engine(
            List.of(type),
            new StoreJournals(cluster.database, cluster.keys, "n1", 1, () -> 0),
            EngineOptions.DEFAULTS,
            () -> true,
            cluster.database.time())) {
      assertThat(
              reasonOf(
                  () ->
                      engine.enqueue(
                          TYPE,
                          P,
                          1,
                          Key.utf8("a"),
                          Optional.empty(),
                          new byte[1],
                          telling(new CompletableFuture<>()))))
          .isEqualTo(Reason.INVALID);
    }
  }

  @Test
  void aRefusalOfAMovedPartitionIsGivenAlsoWhenTheRoutingVersionCannotBeRead() {
    LongSupplier unread =
        () -> {
          throw UnavailableException.unanswered("The rows are away", null);
        };
    try (Engine engine =
        new Engine(
            List.of(WordActor.type(TYPE)),
            new StoreJournals(cluster.database, cluster.keys, "n7", 1, unread),
            EngineOptions.DEFAULTS,
            () -> true,
            cluster.database.time())) {
      byte[] payload = "get a".getBytes(StandardCharsets.UTF_8);
      assertThat(
              reasonOf(
                  () ->
                      engine.send(TYPE, P, 1, Key.utf8("a"), Optional.empty(), payload, PATIENCE)))
          .isEqualTo(Reason.MOVED);
    }
  }

  @Test
  void zombieCanNeitherWriteNorCheckpoint() {
    server.send("set a red");
    cluster.assign(P, "n2", 2, PartitionRange.ALL);
    Server next = cluster.server("n2");
    next.send(P, 2, "set a blue");
    assertThat(reasonOf(() -> server.send("set a zombie"))).isEqualTo(Reason.MOVED);
    server.engine().close();
    assertThat(next.send(P, 2, "get a")).isEqualTo("blue");
    next.engine().close();
    cluster.assign(P, "n3", 3, PartitionRange.ALL);
    assertThat(cluster.server("n3").send(P, 3, "get a")).isEqualTo("blue");
  }

  @Test
  void readIsRefusedWithoutTheLeaseAndWriteIsNot() {
    AtomicBoolean held = new AtomicBoolean(true);
    cluster.assign("p2", "n2", 1, PartitionRange.ALL);
    Server leased = cluster.server("n2", held::get, cluster.database);
    leased.send("p2", 1, "set a red");
    held.set(false);
    assertThat(reasonOf(() -> leased.send("p2", 1, "get a"))).isEqualTo(Reason.NO_LEASE);
    assertThat(leased.send("p2", 1, "set a blue")).isEqualTo("blue");
  }

  @Test
  void effectsAreInTheSameCommitAsTheEntry() {
    assertThat(server.send("mark a red")).isEqualTo("red");
    assertThat(WordActor.marked(cluster.database, "a")).hasValue("red");
    server.send("touch b");
    assertThat(WordActor.marked(cluster.database, "b")).hasValue("t");
    assertThat(cluster.logHead(P).lsn()).isEqualTo(2);
  }

  @Test
  void failedEffectsTakeTheirEntryWithThemAndNothingElse() {
    server.send("set a red");
    assertThat(reasonOf(() -> server.send("spoil a bad"))).isEqualTo(Reason.FAILED);
    assertThat(server.send("get a")).isEqualTo("red");
    assertThat(server.send("set a blue")).isEqualTo("blue");
    assertThat(cluster.logHead(P).lsn()).isEqualTo(2);
  }

  @Test
  void longEntriesAreKeptInPieces() {
    String large = "x".repeat(250_000);
    server.send("set a " + large);
    server.send("set b small");
    cluster.assign(P, "n2", 2, PartitionRange.ALL);
    Server next = cluster.server("n2");
    assertThat(next.send(P, 2, "get a")).isEqualTo(large);
    assertThat(next.send(P, 2, "get b")).isEqualTo("small");
  }

  @Test
  void entryThatIsTooLongIsRefusedAndLeavesNoTrace() {
    server.send("set a red");
    assertThat(reasonOf(() -> server.send("set a " + "x".repeat(1_100_000))))
        .isEqualTo(Reason.INVALID);
    assertThat(server.send("get a")).isEqualTo("red");
  }

  @Test
  void scanGivesPagesInOrder() {
    for (int i = 0; i < 5; i++) {
      server.send("set k" + i + " v" + i);
    }
    EncodedPage first = scan(PartitionRange.ALL, 3);
    assertThat(first.items())
        .extracting(item -> item.key())
        .containsExactly(Key.utf8("k0"), Key.utf8("k1"), Key.utf8("k2"));
    assertThat(first.next()).hasValue(Key.utf8("k3"));
    EncodedPage rest = scan(PartitionRange.from(first.next().orElseThrow()), 3);
    assertThat(rest.items()).hasSize(2);
    assertThat(rest.next()).isEmpty();
  }

  private EncodedPage scan(PartitionRange range, int limit) {
    return server
        .engine()
        .scan(TYPE, P, 1, range, limit, "get *".getBytes(StandardCharsets.UTF_8), PATIENCE);
  }

  @Test
  void idleActorLeavesMemoryAndComesBack() {
    Server sleepy =
        cluster
            .with(EngineOptions.DEFAULTS.withIdle(Duration.ofMillis(20), Duration.ofMillis(5)))
            .server("n1");
    sleepy.send("set a red");
    sleepy.engine().start();
    Eventually.eventually(
        "the actor has left memory",
        () ->
            sleepy.host().statistics().partitions().stream()
                .noneMatch(PartitionStatistics::active));
    assertThat(sleepy.host().statistics().partitions())
        .singleElement()
        .satisfies(s -> assertThat(s.keys()).hasValue(1));
    assertThat(sleepy.send("get a")).isEqualTo("red");
  }

  @Test
  void partitionIsAlwaysKnownOnceWhileItsActorLeavesMemoryAndComesBack() {
    Server sleepy =
        cluster
            .with(EngineOptions.DEFAULTS.withIdle(Duration.ofMillis(1), Duration.ofMillis(1)))
            .server("n1");
    sleepy.send("set a red");
    sleepy.engine().start();
    for (int changes = 0; changes < 50; ) {
      List<PartitionStatistics> known = sleepy.host().statistics().partitions();
      assertThat(known).hasSize(1);
      if (!known.getFirst().active()) {
        changes++;
        assertThat(sleepy.send("get a")).isEqualTo("red");
      }
    }
  }

  @Test
  void statisticsCountRequestsAndKeys() {
    server.send("set a red");
    server.send("set b red");
    server.send("get b");
    PartitionStatistics statistics = server.host().statistics().partitions().getFirst();
    assertThat(statistics.keys()).hasValue(2);
    assertThat(statistics.logEntries()).isEqualTo(2);
    assertThat(statistics.requestsPerSecond()).isPositive();
    assertThat(statistics.p99()).isPositive();
  }

  @Test
  void failedActivationFailsAllWhoWaitAndTheNextCallTriesAgain() throws Exception {
    cluster.assign("p2", "n1", 1, PartitionRange.ALL);
    cluster.database.run(tx -> tx.set(cluster.keys.checkpointHead("p2"), new byte[] {9}));
    AtomicInteger corrupt = new AtomicInteger();
    inThreads(
        8,
        i -> {
          if (reasonOf(() -> server.send("p2", 1, "get a")) == Reason.CORRUPT) {
            corrupt.incrementAndGet();
          }
        });
    assertThat(corrupt).hasValue(8);
    cluster.database.run(tx -> tx.clear(cluster.keys.checkpointHead("p2")));
    assertThat(server.send("p2", 1, "get a")).isEqualTo(WordActor.ABSENT);
  }

  @Test
  void anEntryThatCannotBeReplayedOrReadIsFatal() {
    server.send("set a red");
    server.send("set a blue");
    Key first = cluster.database.read(tx -> tx.scan(cluster.keys.log(P)).list()).getFirst().key();
    byte[] entry = cluster.database.read(tx -> tx.get(first)).orElseThrow();
    byte[] changed = entry.clone();
    changed[changed.length - 1] ^= 1;
    cluster.database.run(tx -> tx.set(first, changed));
    cluster.assign(P, "n2", 2, PartitionRange.ALL);
    Server next = cluster.server("n2");
    assertThat(reasonOf(() -> next.send(P, 2, "get a"))).isEqualTo(Reason.CORRUPT);
    cluster.database.run(tx -> tx.set(first, entry));
    assertThat(next.send(P, 2, "get a")).isEqualTo("blue");
  }

  @Test
  void aScanOfAnotherEpochOrOutsideTheRangeIsRefused() {
    cluster.assign("p2", "n1", 1, PartitionRange.of(Key.utf8("b"), Key.utf8("m")));
    server.send("p2", 1, "set c x");
    byte[] query = "get *".getBytes(StandardCharsets.UTF_8);
    PartitionRange inside = PartitionRange.of(Key.utf8("b"), Key.utf8("c"));
    assertThat(reasonOf(() -> server.engine().scan(TYPE, "p2", 9, inside, 10, query, PATIENCE)))
        .isEqualTo(Reason.MOVED);
    assertThat(
            reasonOf(
                () -> server.engine().scan(TYPE, "p2", 1, PartitionRange.ALL, 10, query, PATIENCE)))
        .isEqualTo(Reason.MOVED);
  }

  @Test
  void aPartitionWithManyWritersDoesNotStallAnother() throws Exception {
    cluster.assign("p2", "n1", 1, PartitionRange.ALL);
    List<Thread> busy = new ArrayList<>();
    AtomicBoolean over = new AtomicBoolean();
    for (int i = 0; i < 256; i++) {
      busy.add(
          Thread.startVirtualThread(
              () -> {
                while (!over.get()) {
                  server.send("add sum 1");
                }
              }));
    }
    for (int i = 0; i < 200; i++) {
      assertThat(server.send("p2", 1, "add sum 1")).isEqualTo(Integer.toString(i + 1));
    }
    over.set(true);
    for (Thread thread : busy) {
      thread.join();
    }
    assertThat(cluster.logHead("p2").lsn()).isEqualTo(200);
  }

  @Test
  void readIsHeldUntilWhatItSawIsDurableAndFailsWhenThatIsLost() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch gate = new CountDownLatch(1);
    AtomicBoolean armed = new AtomicBoolean();
    FaultPlan plan =
        commit -> {
          if (!armed.compareAndSet(true, false)) {
            return Optional.empty();
          }
          begun.countDown();
          awaitGate(gate);
          return Optional.of(Fault.UNKNOWN_NOT_COMMITTED);
        };
    cluster.assign("p2", "n2", 1, PartitionRange.ALL);
    Server slow = cluster.server("n2", () -> true, FaultyDatabase.over(cluster.database, plan));
    assertThat(slow.send("p2", 1, "set a red")).isEqualTo("red");
    armed.set(true);
    AtomicReference<String> written = new AtomicReference<>("nothing");
    AtomicReference<String> read = new AtomicReference<>("nothing");
    Thread writer = Thread.ofVirtual().start(() -> written.set(outcome(slow, "set a blue")));
    begun.await();
    Thread reader = Thread.ofVirtual().start(() -> read.set(outcome(slow, "get a")));
    Eventually.eventually(
        "the reader waits",
        () ->
            reader.getState() == Thread.State.WAITING
                || reader.getState() == Thread.State.TIMED_WAITING);
    cluster.assign("p2", "n3", 2, PartitionRange.ALL);
    gate.countDown();
    writer.join();
    reader.join();
    assertThat(written.get()).isEqualTo("MOVED");
    assertThat(read.get()).isEqualTo("MOVED");
    assertThat(cluster.server("n3").send("p2", 2, "get a")).isEqualTo("red");
  }

  private static void awaitGate(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException interrupt) {
      throw new AssertionError(interrupt);
    }
  }

  /** The answer, or the reason of the failure. */
  private static String outcome(Server server, String request) {
    try {
      return server.send("p2", 1, request);
    } catch (PartitionException failure) {
      return failure.reason().name();
    }
  }

  @Test
  void idleActorLeavesMemoryWhileABusyOneStays() {
    cluster.assign("p2", "n1", 1, PartitionRange.ALL);
    Server sleepy =
        cluster
            .with(EngineOptions.DEFAULTS.withIdle(Duration.ofSeconds(3), Duration.ofMillis(20)))
            .server("n1");
    sleepy.send("set a red");
    sleepy.send("p2", 1, "set b red");
    sleepy.engine().start();
    Eventually.eventually(
        "the idle one has left memory",
        () -> {
          sleepy.send("p2", 1, "get b");
          return !active(sleepy, P);
        });
    sleepy.send("p2", 1, "get b");
    assertThat(active(sleepy, "p2")).isTrue();
  }

  private static boolean active(Server server, String partition) {
    return server.host().statistics().partitions().stream()
        .anyMatch(one -> one.partition().equals(partition) && one.active());
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void controlGetsItsTurnWhileEveryProcessorHasAPartitionUnderLoad() throws Exception {
    int partitions = 2 * Runtime.getRuntime().availableProcessors();
    AtomicBoolean over = new AtomicBoolean();
    List<Thread> busy = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      String partition = "busy" + i;
      cluster.assign(partition, "n1", 1, PartitionRange.ALL);
      for (int writer = 0; writer < 16; writer++) {
        busy.add(
            Thread.startVirtualThread(
                () -> {
                  while (!over.get()) {
                    CompletableFuture<byte[]> answer = new CompletableFuture<>();
                    server
                        .engine()
                        .enqueue(
                            TYPE,
                            partition,
                            1,
                            Key.utf8("sum"),
                            Optional.empty(),
                            "add sum 1".getBytes(StandardCharsets.UTF_8),
                            telling(answer));
                    answer.join();
                  }
                }));
      }
    }
    inThreads(
        partitions,
        i -> {
          for (int time = 0; time < 500; time++) {
            server.host().refresh(List.of("busy" + i));
          }
        });
    over.set(true);
    for (Thread thread : busy) {
      thread.join();
    }
  }

  private static Ended telling(CompletableFuture<byte[]> answer) {
    return new Ended() {
      @Override
      public void answered(byte[] bytes) {
        answer.complete(bytes);
      }

      @Override
      public void failed(PartitionException why) {
        answer.completeExceptionally(why);
      }

      @Override
      public void flush() {}
    };
  }

  interface Numbered {
    void run(int number);
  }

  static void inThreads(int count, Numbered task) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < count; i++) {
      int number = i;
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      task.run(number);
                    } catch (Throwable failure) {
                      failures.add(failure);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
  }

  static Reason reasonOf(Runnable task) {
    PartitionException failure = catchThrowableOfType(PartitionException.class, task::run);
    assertThat(failure).as("a failure").isNotNull();
    return failure.reason();
  }
}
