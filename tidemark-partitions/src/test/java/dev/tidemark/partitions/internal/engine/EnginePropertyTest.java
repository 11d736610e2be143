package dev.tidemark.partitions.internal.engine;

import static dev.tidemark.partitions.internal.engine.Fixture.P;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.internal.engine.Fixture.Server;
import dev.tidemark.partitions.internal.log.RequestId;
import dev.tidemark.testkit.Eventually;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import dev.tidemark.testkit.junit.SeedSource;
import dev.tidemark.testkit.model.ModelDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Clients add to counters, repeat what has no answer, and read what they know, while commits go
 * wrong and the partition goes from server to server, some of which do not know that they lost it.
 */
class EnginePropertyTest {
  private static final int CLIENTS = 4;
  private static final int REQUESTS_EACH = 60;
  private static final int OWNERS = 8;

  /** Who owns the partition, and since which epoch. */
  private record Owner(Server server, long epoch) {}

  @ParameterizedTest
  @SeedSource(count = 12)
  void everyRequestIsCarriedOutOnceAndNoReadGoesBack(long seed) throws Exception {
    Database store = ModelDatabase.open();
    try (Fixture cluster = new Fixture(store)) {
      cluster.with(EngineOptions.DEFAULTS.withCheckpoints(15, 1_000_000, Duration.ofMinutes(1)));
      Database faulty = FaultyDatabase.over(store, FaultPlan.random(seed, 0.15, Fault.values()));
      AtomicReference<Owner> owner = new AtomicReference<>(next(cluster, faulty, 1));
      AtomicInteger working = new AtomicInteger(CLIENTS);
      List<Owner> zombies = new ArrayList<>();
      Thread nemesis =
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (long epoch = 2; epoch <= OWNERS && working.get() > 0; epoch++) {
                      Eventually.pause(Duration.ofMillis(15));
                      zombies.add(owner.get());
                      owner.set(next(cluster, faulty, epoch));
                    }
                  });
      EngineTest.inThreads(
          CLIENTS,
          client -> {
            try {
              work(client, seed, owner);
            } finally {
              working.decrementAndGet();
            }
          });
      nemesis.join();
      for (Owner zombie : zombies) {
        assertThat(EngineTest.reasonOf(() -> zombie.server().send(P, zombie.epoch(), "add c0 1")))
            .isEqualTo(Reason.MOVED);
      }
      checkSums(owner.get());
      owner.get().server().engine().abandon();
      checkSums(next(cluster, store, OWNERS + 1));
    }
  }

  private static Owner next(Fixture cluster, Database through, long epoch) {
    String node = "n" + epoch;
    cluster.assign(P, node, epoch, PartitionRange.ALL);
    return new Owner(cluster.server(node, () -> true, through), epoch);
  }

  private static void work(int client, long seed, AtomicReference<Owner> owner) {
    SplittableRandom random = new SplittableRandom(seed * 31 + client);
    String counter = "c" + client;
    for (long i = 1; i <= REQUESTS_EACH; i++) {
      RequestId id = new RequestId(Key.utf8("client" + client), i, i);
      String answer = sent(owner, "add " + counter + " 1", Optional.of(id));
      assertThat(answer).as("seed %d, request %d", seed, i).isEqualTo(Long.toString(i));
      if (random.nextInt(3) == 0) {
        // The owner of the moment: a quiesce or a lease keeps the one before from answering.
        assertThat(sent(owner, "get " + counter, Optional.empty())).isEqualTo(Long.toString(i));
      }
      if (random.nextInt(20) == 0) {
        provoke(owner, "panic " + counter + " 999999");
        provoke(owner, "spoil " + counter + " 999999");
      }
    }
  }

  private static void provoke(AtomicReference<Owner> owner, String request) {
    try {
      Owner now = owner.get();
      now.server().send(P, now.epoch(), request);
      throw new AssertionError("No failure for: " + request);
    } catch (PartitionException expected) {
      assertThat(expected.reason())
          .isIn(Reason.FAILED, Reason.MOVED, Reason.RELOADED, Reason.BUSY, Reason.IN_DOUBT);
    }
  }

  /** Repeats the request until it has an answer. */
  private static String sent(AtomicReference<Owner> owner, String request, Optional<RequestId> id) {
    List<PartitionException> failures = new ArrayList<>();
    for (int attempt = 0; attempt < 2_000; attempt++) {
      Owner now = owner.get();
      try {
        return now.server().send(P, now.epoch(), request, id);
      } catch (PartitionException failure) {
        assertThat(failure.reason())
            .as(failure.getMessage())
            .isIn(Reason.MOVED, Reason.RELOADED, Reason.BUSY, Reason.IN_DOUBT, Reason.FAILED);
        failures.add(failure);
        Eventually.pause(Duration.ofMillis(1));
      }
    }
    throw new AssertionError("No answer to " + request, failures.getLast());
  }

  private static void checkSums(Owner owner) {
    for (int client = 0; client < CLIENTS; client++) {
      assertThat(sent(new AtomicReference<>(owner), "get c" + client, Optional.empty()))
          .isEqualTo(Integer.toString(REQUESTS_EACH));
    }
  }
}
