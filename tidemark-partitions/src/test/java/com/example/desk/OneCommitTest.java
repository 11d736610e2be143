package com.example.desk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.internal.engine.Engine;
import dev.tidemark.partitions.internal.engine.EngineOptions;
import dev.tidemark.partitions.internal.log.RequestId;
import dev.tidemark.partitions.internal.log.StoreJournals;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import dev.tidemark.partitions.internal.store.Phase;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.Reader;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.pool.PoolClient;
import dev.tidemark.records.RecordStore;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An order is in the actor's state, in a record, in an event and in a job, or in none of them,
 * wherever a crash comes in between.
 */
class OneCommitTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int ORDERS = 3;
  private static final int STOCK = 100;

  /** More commits than a server makes for all requests of the test. */
  private static final int COMMITS = 9;

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"UNKNOWN_COMMITTED", "UNKNOWN_NOT_COMMITTED", "UNKNOWN_ON_ITS_WAY"})
  void serverThatDiesAtAnyCommitLeavesAllOfAnOrderOrNothing(Fault last) {
    int deaths = 0;
    // The first commit of a server is the loading of its actor, the second the stock.
    for (long commit = 1; commit <= ORDERS + 2; commit++) {
      try (Store store = new Store()) {
        deaths += store.sellWithCrashes(diesAt(commit, last));
        store.checkAllOrders(ORDERS);
      }
    }
    // With the last commit of all, the server may find out that it took effect before it dies.
    assertThat(deaths).isBetween(ORDERS + 1, ORDERS + 2);
  }

  /**
   * From its last commit on, which may or may not take effect, a server that died commits nothing.
   */
  private static FaultPlan diesAt(long lastCommit, Fault last) {
    return commit ->
        commit < lastCommit
            ? Optional.empty()
            : Optional.of(commit == lastCommit ? last : Fault.UNKNOWN_NOT_COMMITTED);
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void faultAtAnyCommitIsHealedWithoutTheCaller(Fault fault) {
    int crashes = 0;
    for (long commit = 1; commit <= COMMITS; commit++) {
      try (Store store = new Store()) {
        crashes += store.sellWithCrashes(FaultPlan.at(Map.of(commit, fault)));
        store.checkAllOrders(ORDERS);
      }
    }
    assertThat(crashes).isZero();
  }

  @Test
  void crashAfterEachEffectLeavesNothing() {
    for (int step = 1; step <= 3; step++) {
      try (Store store = new Store()) {
        store.failAfter = step;
        assertThat(store.sellWithCrashes(FaultPlan.none())).isEqualTo(1);
        store.checkAllOrders(ORDERS);
      }
    }
  }

  @Test
  void serverThatDiesBetweenCommitAndAnswerHasSoldOnce() {
    try (Store store = new Store()) {
      store.open(FaultPlan.none());
      store.send("stock pen 100", 1);
      store.send("order pen 1 o1", 2);
      store.open(FaultPlan.none()); // the answer was lost: another server gets the same request
      assertThat(store.send("order pen 1 o1", 2)).isEqualTo("99");
      store.checkAllOrders(1);
    }
  }

  @Test
  void refusedOrderIsNowhere() {
    try (Store store = new Store()) {
      store.open(FaultPlan.none());
      store.send("stock pen 1", 1);
      try {
        store.send("order pen 2 o1", 2);
        throw new AssertionError("Two of one were sold");
      } catch (PartitionException refused) {
        assertThat(refused).hasMessage("There are not 2 of pen left");
      }
      store.checkAllOrders(0);
    }
  }

  /** One store with all layers in it, and one server after another. */
  private static final class Store implements AutoCloseable {
    private final Database database = EmbeddedDatabase.inMemory();
    private final PartitionKeys keys = new PartitionKeys(Subspace.of("cluster"));
    private final RecordStore<Order> orders = OrderStore.open(database);
    private final Pulse pulse = Pulse.on(database);
    private final EventStream events = pulse.stream("orders");
    private final PoolClient shipping = pulse.poolClient("shipping");
    private final List<Engine> engines = new ArrayList<>();
    private long epoch;

    /** After so many effects of the second order the process ends, once; 0 for never. */
    private int failAfter;

    void open(FaultPlan plan) {
      engines.forEach(Engine::abandon);
      engines.clear();
      epoch++;
      OwnershipRow owner =
          new OwnershipRow(
              epoch, "n1", epoch, Phase.SERVING, "desk", PartitionRange.ALL, Optional.empty());
      database.run(tx -> tx.set(keys.ownership("p1"), owner.encode()));
      Database faulty = FaultyDatabase.over(database, plan);
      engines.add(
          new Engine(
              List.of(
                  failAfter == 0
                      ? OrderDesk.type(orders, events, shipping)
                      : FailingDesk.type(orders, events, shipping, failAfter)),
              new StoreJournals(faulty, keys, "n1", epoch, () -> 0),
              EngineOptions.DEFAULTS,
              () -> true,
              database.time()));
    }

    String send(String request, long sequence) {
      byte[] answer =
          engines
              .getLast()
              .send(
                  "desk",
                  "p1",
                  epoch,
                  Key.utf8(request.split(" ", -1)[1]),
                  Optional.of(new RequestId(Key.utf8("shop"), sequence, 0)),
                  request.getBytes(UTF_8),
                  PATIENCE);
      return new String(answer, UTF_8);
    }

    /** Sells; after a failure the server dies, and the next one gets the request again. */
    int sellWithCrashes(FaultPlan plan) {
      open(plan);
      int crashes = sendThrough("stock pen " + STOCK, 1);
      for (int i = 1; i <= ORDERS; i++) {
        crashes += sendThrough("order pen 1 o" + i, 1 + i);
      }
      return crashes;
    }

    private int sendThrough(String request, long sequence) {
      try {
        send(request, sequence);
        return 0;
      } catch (PartitionException failure) {
        // BUSY where the actor could not even be loaded.
        assertThat(failure.reason())
            .isIn(Reason.FAILED, Reason.IN_DOUBT, Reason.RELOADED, Reason.BUSY);
        failAfter = 0;
        checkSame();
        open(FaultPlan.none());
        send(request, sequence);
        return 1;
      }
    }

    /** Every order is in all places. */
    private Set<String> checkSame() {
      Set<String> records = new TreeSet<>();
      database.read(
          tx -> {
            orders.scan(tx).forEach(order -> records.add(order.id()));
            return true;
          });
      List<String> added = eventsNow();
      assertThat(added).as("events").containsExactlyInAnyOrderElementsOf(records);
      assertThat(shipping.jobKeys()).as("jobs").containsExactlyInAnyOrderElementsOf(records);
      return records;
    }

    private List<String> eventsNow() {
      List<String> ids = new ArrayList<>();
      if (events.length() > 0) {
        try (Reader reader = events.reader(o -> o.withStart(Start.oldest()))) {
          while (ids.size() < events.length()) {
            for (Event event : reader.read()) {
              ids.add(new String(event.payload(), UTF_8));
            }
          }
        }
      }
      return ids;
    }

    void checkAllOrders(int count) {
      assertThat(checkSame()).hasSize(count);
      open(FaultPlan.none());
      if (count > 1) {
        assertThat(send("stock pen 0", 1_000)).isEqualTo(Integer.toString(STOCK - count));
      }
    }

    @Override
    public void close() {
      engines.forEach(Engine::abandon);
      shipping.close();
      pulse.close();
      database.close();
    }
  }
}
