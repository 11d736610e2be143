package dev.tidemark.partitions.internal.engine;

import static dev.tidemark.partitions.internal.engine.EngineTest.reasonOf;
import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Codec;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.partitions.Actor;
import dev.tidemark.partitions.ActorType;
import dev.tidemark.partitions.Outcome;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.internal.log.StoreJournals;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import dev.tidemark.partitions.internal.store.Phase;
import dev.tidemark.testkit.model.ModelDatabase;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Actors that do not come back from a request, and stores that do not come back from an append. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class StuckActorTest {
  private static final String TYPE = "stuck";

  private final ModelDatabase database = ModelDatabase.open();
  private final PartitionKeys keys = new PartitionKeys(Subspace.of("cluster"));
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch gate = new CountDownLatch(1);
  private final List<Thread> callers = new ArrayList<>();

  @AfterEach
  void close() throws InterruptedException {
    gate.countDown();
    for (Thread caller : callers) {
      caller.join();
    }
    database.close();
  }

  /** A request that says "wait" does not end before the gate opens; any other is logged. */
  private final class Stuck implements Actor<String, String> {
    @Override
    public Outcome<String> receive(String request) throws InterruptedException {
      if (request.equals("wait")) {
        entered.countDown();
        gate.await();
        return Outcome.answer("done");
      }
      if (request.equals("hold")) {
        return Outcome.answer("held")
            .log(new byte[1])
            .effects(
                tx -> {
                  entered.countDown();
                  gate.await();
                });
      }
      return Outcome.answer("logged").log(new byte[1]);
    }

    @Override
    public void replay(byte[] entry) {}

    @Override
    public void export(PartitionRange range, OutputStream out) {}

    @Override
    public void load(InputStream in) {}
  }

  private Engine engine(EngineOptions options) {
    for (String partition : List.of("p1", "p2")) {
      OwnershipRow owner =
          new OwnershipRow(1, "n1", 1, Phase.SERVING, TYPE, PartitionRange.ALL, Optional.empty());
      database.run(tx -> tx.set(keys.ownership(partition), owner.encode()));
    }
    ActorType<String, String> type =
        ActorType.of(TYPE, Codec.TEXT, Codec.TEXT, context -> new Stuck());
    return new Engine(
        List.of(type),
        new StoreJournals(database, keys, "n1", 1, () -> 0),
        options,
        () -> true,
        database.time());
  }

  private static String send(Engine engine, String partition, String request) {
    return new String(
        engine.send(
            TYPE,
            partition,
            1,
            Key.utf8("k"),
            Optional.empty(),
            request.getBytes(StandardCharsets.UTF_8),
            Duration.ofMinutes(1)),
        StandardCharsets.UTF_8);
  }

  /** A caller whose request ends with the gate, or when its partition is closed. */
  private void inBackground(Engine engine, String request) {
    callers.add(
        Thread.startVirtualThread(
            () -> {
              try {
                send(engine, "p1", request);
              } catch (PartitionException closed) {
                assertThat(closed.reason()).isNotEqualTo(Reason.CORRUPT);
              }
            }));
  }

  @Test
  void anActorThatIsStuckDoesNotKeepOthersInMemoryNorTheEngineOpen() throws Exception {
    Engine engine =
        engine(
            EngineOptions.DEFAULTS
                .withIdle(Duration.ofMillis(20), Duration.ofMillis(5))
                .withTurn(Duration.ofMillis(20)));
    assertThat(send(engine, "p1", "log")).isEqualTo("logged");
    inBackground(engine, "wait");
    entered.await();
    engine.start();
    assertThat(send(engine, "p2", "log")).isEqualTo("logged");
    EngineHost host = engine.host("n1", 1);

    eventually(
        "the other actor has left memory",
        () ->
            host.statistics().partitions().stream()
                .anyMatch(one -> one.partition().equals("p2") && !one.active()));
    assertThat(reasonOf(() -> host.quiesce("p1", 1, Duration.ofSeconds(1)))).isEqualTo(Reason.BUSY);
    engine.close();

    assertThat(reasonOf(() -> send(engine, "p1", "log"))).isEqualTo(Reason.MOVED);
  }

  @Test
  void requestsAreRefusedWhenTheStoreTakesNoMoreAndGoOnWhenItDoes() throws Exception {
    int mailbox = 10;
    int requests = 100;
    Engine engine = engine(EngineOptions.DEFAULTS.withMailbox(mailbox));
    assertThat(send(engine, "p1", "log")).isEqualTo("logged");
    inBackground(engine, "hold");
    entered.await();
    AtomicInteger logged = new AtomicInteger();
    AtomicInteger refused = new AtomicInteger();
    CountDownLatch ended = new CountDownLatch(requests);
    for (int i = 0; i < requests; i++) {
      engine.enqueue(
          TYPE,
          "p1",
          1,
          Key.utf8("k"),
          Optional.empty(),
          "log".getBytes(StandardCharsets.UTF_8),
          new Ended() {
            @Override
            public void answered(byte[] answer) {
              logged.incrementAndGet();
              ended.countDown();
            }

            @Override
            public void failed(PartitionException why) {
              assertThat(why.reason()).isEqualTo(Reason.BUSY);
              refused.incrementAndGet();
              ended.countDown();
            }

            @Override
            public void flush() {}
          });
      if (i < mailbox) {
        eventually("it waits for the store", () -> queued(engine) == 0);
      }
    }
    assertThat(queued(engine)).isEqualTo(mailbox);
    assertThat(refused.get()).isEqualTo(requests - 2 * mailbox);

    gate.countDown();

    ended.await();
    assertThat(logged.get()).isEqualTo(requests - refused.get());
    assertThat(send(engine, "p1", "log")).isEqualTo("logged");
    engine.close();
  }

  private static int queued(Engine engine) {
    return engine.host("n1", 1).statistics().partitions().stream()
        .mapToInt(PartitionStatistics::queued)
        .sum();
  }
}
