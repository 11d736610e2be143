package dev.tidemark.partitions;

import static dev.tidemark.partitions.ClusterTest.add;
import static dev.tidemark.partitions.ClusterTest.names;
import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.Codec;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.wire.NodeState;
import dev.tidemark.testkit.faults.CuttingProxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What a client does with a table that is old, and with requests that cannot be sent. */
class ClientTest {
  /** A port at which nobody listens. */
  private static final int NOWHERE = 1;

  /** A client whose way to the manager can be cut. */
  private static PartitionClient client(Cluster cluster, CuttingProxy proxy) {
    return cluster.owned(
        PartitionClient.connect(
            PartitionClientOptions.managers("tidemark://127.0.0.1:" + proxy.port())
                .withTimeout(Duration.ofSeconds(60))));
  }

  private static void cut(CuttingProxy proxy) {
    proxy.target(NOWHERE);
    proxy.cutAll();
  }

  /** Has the client work with its old table until a server has refused it, then connects it. */
  private static <T> T untilConnected(
      Cluster cluster, CuttingProxy proxy, PartitionClient client, Callable<T> call)
      throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<T> answer = threads.submit(call);
      eventually(
          () -> "a server refuses: " + client.statistics(),
          () -> client.statistics().repeats().getOrDefault(Reason.MOVED, 0L) > 0);
      assertThat(answer.isDone()).isFalse();
      proxy.target(cluster.leader().address().port());
      return answer.get();
    }
  }

  @Test
  void aChangeByAnOldTableIsRefusedAndMadeOnceByTheNewOne() throws Exception {
    try (Cluster cluster = new Cluster();
        CuttingProxy proxy = CuttingProxy.open()) {
      PartitionManager manager = cluster.manager("m1");
      proxy.target(manager.address().port());
      cluster.server("a");
      PartitionClient client = client(cluster, proxy);
      names(20).forEach(name -> add(client, name));
      cluster.server("b");
      cluster.awaitState("b", NodeState.ACTIVE);
      cut(proxy);
      PartitionOperator operator = cluster.tool();
      String lower = operator.routing().routes().getFirst().partition();
      operator.split(lower, Optional.of(Key.utf8("k010")), false).orThrow();
      operator.migrate(operator.routing().routes().getLast().partition(), "b", false).orThrow();
      assertThat(client.routing().version()).isEqualTo(1);

      assertThat(untilConnected(cluster, proxy, client, () -> add(client, "k015"))).isEqualTo(2);

      assertThat(client.routing().version()).isEqualTo(3);
      assertThat(add(cluster.client(), "k015")).isEqualTo(3);
    }
  }

  @Test
  void aScanByAnOldTableIsStillWholeAndInOrder() throws Exception {
    try (Cluster cluster = new Cluster();
        CuttingProxy proxy = CuttingProxy.open()) {
      PartitionManager manager = cluster.manager("m1");
      proxy.target(manager.address().port());
      cluster.server("a");
      PartitionClient client = client(cluster, proxy);
      names(100).forEach(name -> add(client, name));
      ScanPage<String> first = client.scan(CounterActor.TYPE, "", PartitionRange.ALL, 30);
      cut(proxy);
      PartitionOperator operator = cluster.tool();
      String lower = operator.routing().routes().getFirst().partition();
      operator.split(lower, Optional.of(Key.utf8("k020")), false).orThrow();
      operator
          .split(
              operator.routing().routes().getLast().partition(),
              Optional.of(Key.utf8("k070")),
              false)
          .orThrow();

      PartitionRange rest = PartitionRange.from(first.next().orElseThrow());
      ScanPage<String> second =
          untilConnected(
              cluster, proxy, client, () -> client.scan(CounterActor.TYPE, "", rest, 1_000));

      assertThat(first.items().stream().map(ScanPage.Item::key))
          .containsExactlyElementsOf(names(30).stream().map(Key::utf8).toList());
      assertThat(second.items().stream().map(ScanPage.Item::key))
          .containsExactlyElementsOf(names(100).stream().skip(30).map(Key::utf8).toList());
      assertThat(second.next()).isEmpty();
    }
  }

  @Test
  void aBatchByAnOldTableIsCarriedOutOnce() throws Exception {
    try (Cluster cluster = new Cluster();
        CuttingProxy proxy = CuttingProxy.open()) {
      PartitionManager manager = cluster.manager("m1");
      proxy.target(manager.address().port());
      cluster.server("a");
      PartitionClient client = client(cluster, proxy);
      add(client, "k000");
      cut(proxy);
      PartitionOperator operator = cluster.tool();
      String lower = operator.routing().routes().getFirst().partition();
      operator.split(lower, Optional.of(Key.utf8("k050")), false).orThrow();
      List<PartitionClient.Request<String>> requests =
          names(100).stream()
              .map(name -> new PartitionClient.Request<>(Key.utf8(name), "add " + name))
              .toList();

      List<PartitionClient.Reply<String>> replies =
          untilConnected(cluster, proxy, client, () -> client.sendAll(CounterActor.TYPE, requests));

      assertThat(replies.getFirst().orThrow()).isEqualTo("2");
      assertThat(replies.stream().skip(1).map(PartitionClient.Reply::orThrow)).containsOnly("1");
    }
  }

  @Test
  void requestsGoOnWithoutAnyManager() {
    try (Cluster cluster = new Cluster()) {
      PartitionManager manager = cluster.manager("m1");
      cluster.server("a");
      PartitionClient client = cluster.client();
      names(20).forEach(name -> add(client, name));

      cluster.stop(manager);

      assertThat(names(20).stream().map(name -> add(client, name))).containsOnly(2L);
      assertThat(client.statistics().repeats()).isEmpty();
    }
  }

  @Test
  void requestsThatCannotBeSentSayWhy() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      cluster.server("a");
      PartitionClient client =
          cluster.client(options -> options.withTimeout(Duration.ofSeconds(20)));
      PartitionClient hasty =
          cluster.client(options -> options.withTimeout(Duration.ofMillis(300)));
      ActorType<String, String> unknown =
          ActorType.of("unknown", Codec.TEXT, Codec.TEXT, context -> new CounterActor());

      assertThatThrownBy(() -> hasty.send(unknown, Key.utf8("k"), "add k"))
          .isInstanceOfSatisfying(
              PartitionException.class, why -> assertThat(why.reason()).isEqualTo(Reason.BUSY))
          .hasMessageContaining("The actor type unknown has no partitions");
      assertThatThrownBy(
              () -> client.send(CounterActor.TYPE, Key.utf8("k"), "add " + "x".repeat(5_000_000)))
          .isInstanceOfSatisfying(
              PartitionException.class, why -> assertThat(why.reason()).isEqualTo(Reason.INVALID))
          .hasMessageContaining("it may have 4,194,304");
      assertThatThrownBy(
              () -> client.scan(CounterActor.TYPE, "x".repeat(5_000_000), PartitionRange.ALL, 10))
          .isInstanceOfSatisfying(
              PartitionException.class, why -> assertThat(why.reason()).isEqualTo(Reason.INVALID))
          .hasMessageContaining("it may have 4,194,304");
      assertThatThrownBy(() -> client.scan(CounterActor.TYPE, "", PartitionRange.ALL, 0))
          .hasMessageContaining("must be 1 or more");
      Thread.currentThread().interrupt();
      try {
        // One that has to wait; an answer that is there already is given to an interrupted thread.
        assertThatThrownBy(() -> client.send(unknown, Key.utf8("k"), "add k"))
            .isInstanceOf(InterruptedOperationException.class);
      } finally {
        assertThat(Thread.interrupted()).isTrue();
      }
      client.close();
      assertThatThrownBy(() -> add(client, "k")).hasMessageContaining("The client is closed");
      PartitionClient other = cluster.client();
      assertThat(add(other, "other")).isEqualTo(1);
    }
  }
}
