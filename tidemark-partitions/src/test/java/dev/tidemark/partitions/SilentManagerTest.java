package dev.tidemark.partitions;

import static dev.tidemark.partitions.ClusterTest.add;
import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.grpc.GrpcListener;
import dev.tidemark.grpc.ListenerOptions;
import dev.tidemark.grpc.Role;
import dev.tidemark.grpc.ServedApi;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.internal.protocol.WireRoutes;
import dev.tidemark.partitions.internal.wire.ManagerGrpc;
import dev.tidemark.partitions.internal.wire.NodeState;
import dev.tidemark.partitions.internal.wire.PartitionsGrpc;
import dev.tidemark.partitions.internal.wire.ReplyFrame;
import dev.tidemark.partitions.internal.wire.RequestFrame;
import dev.tidemark.partitions.internal.wire.RoutingUpdate;
import dev.tidemark.partitions.internal.wire.WatchRoutingRequest;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Managers and servers that keep their connections open and say nothing any more. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class SilentManagerTest {
  /** Sends one table, and others when it is told to. */
  private static final class Manager extends ManagerGrpc.ManagerImplBase {
    private final RoutingTable first;
    private final CompletableFuture<StreamObserver<RoutingUpdate>> watcher =
        new CompletableFuture<>();

    Manager(RoutingTable first) {
      this.first = first;
    }

    @Override
    public void watchRouting(WatchRoutingRequest request, StreamObserver<RoutingUpdate> observer) {
      observer.onNext(WireRoutes.whole(first));
      watcher.complete(observer);
    }

    void push(RoutingTable table) {
      watcher.join().onNext(WireRoutes.whole(table));
    }
  }

  /** Takes requests, and answers none. */
  private static final class Server extends PartitionsGrpc.PartitionsImplBase {
    private final CountDownLatch asked = new CountDownLatch(1);

    @Override
    public StreamObserver<RequestFrame> requests(StreamObserver<ReplyFrame> client) {
      return new StreamObserver<>() {
        @Override
        public void onNext(RequestFrame frame) {
          asked.countDown();
        }

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {}
      };
    }
  }

  private static GrpcListener listen(Cluster cluster, ServedApi api) {
    return cluster.owned(GrpcListener.open(api, ListenerOptions.defaults()));
  }

  private static PartitionClient client(Cluster cluster, Duration timeout, String... managers) {
    return cluster.owned(
        PartitionClient.connect(PartitionClientOptions.managers(managers).withTimeout(timeout)));
  }

  @Test
  void aManagerThatIsBehindWhatServersKnowIsLeftForTheNextOne() {
    try (Cluster cluster = new Cluster()) {
      PartitionManager manager = cluster.manager("m1");
      cluster.server("a");
      cluster.server("b");
      cluster.awaitState("a", NodeState.ACTIVE);
      cluster.awaitState("b", NodeState.ACTIVE);
      assertThat(add(cluster.client(), "k")).isEqualTo(1);
      Manager silent = new Manager(manager.routing());
      GrpcListener port = listen(cluster, ServedApi.of(silent, Role.READ));
      PartitionClient client =
          client(
              cluster,
              Duration.ofSeconds(40),
              port.address().toString(),
              manager.address().toString());
      assertThat(add(client, "k")).isEqualTo(2);
      Route only = manager.routing().routes().getFirst();
      cluster
          .tool()
          .migrate(only.partition(), only.node().equals("a") ? "b" : "a", false)
          .orThrow();

      assertThat(add(client, "k")).isEqualTo(3);

      assertThat(client.routing().version()).isEqualTo(2);
    }
  }

  @Test
  void aRequestThatIsUnderWayWhenItsClientIsClosedEndsWithIt() throws Exception {
    try (Cluster cluster = new Cluster();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Server silent = new Server();
      GrpcListener server = listen(cluster, ServedApi.of(silent, Role.WRITE));
      Route route =
          new Route("p", "counter", PartitionRange.ALL, "silent", server.address().toString(), 1);
      Manager manager = new Manager(RoutingTable.of(1, List.of(route)));
      GrpcListener port = listen(cluster, ServedApi.of(manager, Role.READ));
      PartitionClient client = client(cluster, Duration.ofSeconds(60), port.address().toString());
      Future<Long> answer = threads.submit(() -> add(client, "k"));
      silent.asked.await();

      client.close();

      assertThatThrownBy(answer::get).hasMessageContaining("The client is closed");
    }
  }

  @Test
  void aRequestToAServerThatOwnsNothingAnyMoreGoesToTheNewOwner() throws Exception {
    try (Cluster cluster = new Cluster();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      PartitionManager manager = cluster.manager("m1");
      cluster.server("a");
      PartitionClient direct = cluster.client();
      assertThat(add(direct, "k")).isEqualTo(1);
      Route only = manager.routing().routes().getFirst();
      cluster.tool().split(only.partition(), Optional.of(Key.utf8("z")), false).orThrow();
      eventually("the manager knows the split", () -> manager.routing().version() == 2);
      Server silent = new Server();
      GrpcListener old = listen(cluster, ServedApi.of(silent, Role.WRITE));
      Route before =
          new Route(
              only.partition(), only.type(), only.range(), "old", old.address().toString(), 1);
      Manager lagging = new Manager(RoutingTable.of(1, List.of(before)));
      GrpcListener port = listen(cluster, ServedApi.of(lagging, Role.READ));
      PartitionClient client = client(cluster, Duration.ofSeconds(60), port.address().toString());
      Future<Long> answer = threads.submit(() -> add(client, "k"));
      silent.asked.await();

      lagging.push(manager.routing());

      assertThat(answer.get()).isEqualTo(2);
      assertThat(add(direct, "k")).isEqualTo(3);
    }
  }
}
