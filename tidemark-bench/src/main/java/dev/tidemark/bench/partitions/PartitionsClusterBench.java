package dev.tidemark.bench.partitions;

import dev.tidemark.bench.measure.Crew;
import dev.tidemark.bench.measure.Plan;
import dev.tidemark.bench.measure.Race;
import dev.tidemark.bench.measure.Report;
import dev.tidemark.bench.measure.Scratch;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.ClusterMember;
import dev.tidemark.partitions.PartitionClient;
import dev.tidemark.partitions.PartitionOperator;
import dev.tidemark.partitions.Route;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A whole cluster over loopback, on a store that syncs every commit. How many requests a second do
 * 64 callers get through the client, beside the store's own commits? How long do writers wait while
 * a large partition moves? How long does it take to serve what a dead node had?
 */
final class PartitionsClusterBench {
  private static final int CALLERS = 64;

  /** The code of client, connection and server is compiled late. */
  private static final int WARM_UPS = 4;

  private final Plan plan;
  private final Report report;
  private final int megabytes;
  private final int partitions;

  PartitionsClusterBench(Plan plan, Report report) {
    this.plan = plan;
    this.report = report;
    boolean tiny = plan.equals(Plan.TINY);
    this.megabytes = tiny ? 2 : 100;
    this.partitions = tiny ? 4 : 100;
  }

  /**
   * As long in the quick form: the client has a fourth of its rate in the first three seconds, and
   * two thirds in the next.
   */
  private Duration warmUp() {
    Duration turn = plan.equals(Plan.TINY) ? plan.warmUp() : Plan.FULL.warmUp();
    return turn.multipliedBy(WARM_UPS);
  }

  /** Requests through the client, by durable commits of the store with as many callers. */
  double durable(Scratch scratch) throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(scratch.path("durable"));
        PartitionsCluster cluster = new PartitionsCluster(database, CounterActor.TYPE)) {
      cluster.server("a");
      try (PartitionClient client = cluster.client()) {
        Race race =
            new Race("durable requests by " + CALLERS)
                .with(
                    "client",
                    Crew.virtual(
                        CALLERS,
                        random ->
                            client.send(
                                CounterActor.TYPE,
                                key(random.nextInt(CALLERS)),
                                CounterActor.WRITE)))
                .with(
                    "engine",
                    Crew.virtual(
                        CALLERS,
                        random -> {
                          Key key = Key.utf8("own/" + random.nextInt(CALLERS));
                          database.run(tx -> tx.set(key, CounterActor.WRITE));
                        }))
                .run(plan.rounds(), plan.commitSlice(), warmUp(), report);
        return race.ratio("client", "engine");
      }
    }
  }

  /** Requests that are not logged, by those of Pekko Cluster Sharding without persistence. */
  double pekko(Scratch scratch) throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(scratch.path("pekko"));
        PartitionsCluster cluster = new PartitionsCluster(database, CounterActor.TYPE);
        PekkoRival rival = new PekkoRival()) {
      cluster.server("a");
      cluster.server("b");
      try (PartitionClient client = cluster.client();
          PartitionOperator operator = cluster.operator()) {
        Route all = operator.routing().routes().getFirst();
        operator.split(all.partition(), Optional.of(key(CALLERS / 2)), false).orThrow();
        Route upper = operator.routing().routes().getLast();
        operator.migrate(upper.partition(), all.node().equals("a") ? "b" : "a", false).orThrow();
        return new Race("requests in memory by " + CALLERS)
            .with(
                "client",
                Crew.virtual(
                    CALLERS,
                    random ->
                        client.send(
                            CounterActor.TYPE, key(random.nextInt(CALLERS)), CounterActor.READ)))
            .with(
                "pekko",
                Crew.virtual(
                    CALLERS,
                    random ->
                        rival.send(key(random.nextInt(CALLERS)).toString(), CounterActor.READ)))
            .run(plan.rounds(), plan.readSlice(), warmUp(), report)
            .ratio("client", "pekko");
      }
    }
  }

  private static Key key(int number) {
    return Key.utf8("k%04d".formatted(number));
  }

  /** The longest time between two answers to a writer while the partition moves, in ms. */
  double migrationPause(Scratch scratch) throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(scratch.path("migrate"));
        PartitionsCluster cluster = new PartitionsCluster(database, BulkActor.TYPE)) {
      cluster.server("a");
      try (PartitionClient client = cluster.client();
          PartitionOperator operator = cluster.operator()) {
        for (int i = 0; i < megabytes; i++) {
          client.send(BulkActor.TYPE, Key.EMPTY, BulkActor.FILL);
        }
        cluster.leave("a");
        cluster.server("a");
        client.send(BulkActor.TYPE, Key.EMPTY, BulkActor.COUNT);
        cluster.server("b");
        String partition = client.routing().routes().getFirst().partition();
        AtomicLong longest = new AtomicLong();
        AtomicBoolean over = new AtomicBoolean();
        Thread writer = Thread.startVirtualThread(() -> write(client, longest, over));
        operator.migrate(partition, "b", false).orThrow();
        client.send(BulkActor.TYPE, Key.EMPTY, BulkActor.COUNT);
        over.set(true);
        writer.join();
        return longest.get() / 1e6;
      }
    }
  }

  private static void write(PartitionClient client, AtomicLong longest, AtomicBoolean over) {
    while (!over.get()) {
      long began = System.nanoTime();
      client.send(BulkActor.TYPE, Key.EMPTY, BulkActor.COUNT);
      longest.accumulateAndGet(System.nanoTime() - began, Math::max);
    }
  }

  /** From the end of a dead node's lease until the last of its partitions has answered, in s. */
  double failover(Scratch scratch) throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(scratch.path("failover"));
        PartitionsCluster cluster = new PartitionsCluster(database, CounterActor.TYPE)) {
      cluster.server("a");
      try (PartitionClient client = cluster.client();
          PartitionOperator operator = cluster.operator()) {
        for (int i = 1; i < partitions; i++) {
          Route last = operator.routing().routes().getLast();
          operator.split(last.partition(), Optional.of(key(i)), false).orThrow();
        }
        for (int i = 0; i < partitions; i++) {
          client.send(CounterActor.TYPE, key(i), CounterActor.WRITE);
        }
        cluster.server("b");
        cluster.kill("a");
        PartitionsCluster.await("the lease is over", () -> hasFailed(operator));
        long began = System.nanoTime();
        for (int i = 0; i < partitions; i++) {
          client.send(CounterActor.TYPE, key(i), CounterActor.WRITE);
        }
        return (System.nanoTime() - began) / 1e9;
      }
    }
  }

  private static boolean hasFailed(PartitionOperator operator) {
    return operator.members().stream()
        .anyMatch(member -> member.state() == ClusterMember.State.FAILED);
  }
}
