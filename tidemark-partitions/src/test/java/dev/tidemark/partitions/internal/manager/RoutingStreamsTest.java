package dev.tidemark.partitions.internal.manager;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.grpc.Address;
import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.grpc.GrpcChannel;
import dev.tidemark.grpc.GrpcListener;
import dev.tidemark.grpc.ListenerOptions;
import dev.tidemark.grpc.Role;
import dev.tidemark.grpc.ServedApi;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.Route;
import dev.tidemark.partitions.RoutingTable;
import dev.tidemark.partitions.internal.wire.ManagerGrpc;
import dev.tidemark.partitions.internal.wire.RoutingUpdate;
import dev.tidemark.partitions.internal.wire.WatchRoutingRequest;
import dev.tidemark.testkit.Eventually;
import dev.tidemark.testkit.faults.CuttingProxy;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Watchers over a connection of loopback, quick and slow. */
class RoutingStreamsTest {
  private final RoutingStreams streams = new RoutingStreams();
  private GrpcListener listener;
  private GrpcChannel channel;

  @BeforeEach
  void open() {
    ManagerGrpc.ManagerImplBase service =
        new ManagerGrpc.ManagerImplBase() {
          @Override
          public void watchRouting(
              WatchRoutingRequest request, StreamObserver<RoutingUpdate> watcher) {
            streams.open((ServerCallStreamObserver<RoutingUpdate>) watcher);
          }
        };
    listener =
        GrpcListener.open(
            ServedApi.of(service, Role.READ),
            ListenerOptions.defaults().withSilenceTimeout(Duration.ofSeconds(5)));
    channel = GrpcChannel.open(listener.address(), ChannelOptions.defaults());
  }

  @AfterEach
  void close() {
    channel.close();
    streams.end();
    listener.close();
  }

  /** Takes one message at a time, when it is asked to. */
  private static final class Watcher
      implements ClientResponseObserver<WatchRoutingRequest, RoutingUpdate> {
    final List<RoutingUpdate> updates = new CopyOnWriteArrayList<>();
    private @Nullable ClientCallStreamObserver<WatchRoutingRequest> call;
    volatile boolean ended;

    @Override
    public void beforeStart(ClientCallStreamObserver<WatchRoutingRequest> stream) {
      call = stream;
      stream.disableAutoRequestWithInitial(0);
    }

    @Override
    public void onNext(RoutingUpdate update) {
      updates.add(update);
    }

    @Override
    public void onError(Throwable failure) {
      ended = true;
    }

    @Override
    public void onCompleted() {
      ended = true;
    }

    void take(int messages) {
      requireNonNull(call).request(messages);
    }

    long version() {
      return updates.isEmpty() ? 0 : updates.getLast().getVersion();
    }
  }

  private Watcher watch() {
    return watch(channel);
  }

  private static Watcher watch(GrpcChannel over) {
    Watcher watcher = new Watcher();
    ManagerGrpc.newStub(over.channel())
        .watchRouting(WatchRoutingRequest.getDefaultInstance(), watcher);
    return watcher;
  }

  /** Two hundred partitions; all of them move with each version. */
  private static RoutingTable table(long version) {
    int size = 200;
    return RoutingTable.of(
        version,
        IntStream.range(0, size)
            .mapToObj(
                i ->
                    new Route(
                        "p" + i,
                        "kv",
                        new PartitionRange(
                            i == 0 ? Key.EMPTY : Key.utf8("k%03d".formatted(i)),
                            i == size - 1
                                ? Optional.empty()
                                : Optional.of(Key.utf8("k%03d".formatted(i + 1)))),
                        "n",
                        "127.0.0.1:1",
                        version))
            .toList());
  }

  @Test
  void aNewWatcherGetsTheTableOfNowAtOnce() {
    streams.push(table(7));
    Watcher watcher = watch();
    watcher.take(1);
    Eventually.eventually("the table is there", () -> watcher.version() == 7);
    assertThat(watcher.updates.getFirst().getBaseVersion()).isZero();
    assertThat(watcher.updates.getFirst().getEntriesCount()).isEqualTo(200);
  }

  @Test
  void aSlowWatcherMissesTablesBetweenAndEndsOnTheLast() {
    int versions = 10_000;
    streams.push(table(1));
    Watcher slow = watch();
    Watcher quick = watch();
    quick.take(Integer.MAX_VALUE);
    slow.take(1);
    Eventually.eventually("both have the first", () -> slow.version() == 1 && quick.version() == 1);

    for (long version = 2; version <= versions; version++) {
      streams.push(table(version));
    }
    slow.take(Integer.MAX_VALUE);

    Eventually.eventually(
        "both end on the last", () -> slow.version() == versions && quick.version() == versions);
    for (Watcher watcher : List.of(slow, quick)) {
      List<Long> seen = watcher.updates.stream().map(RoutingUpdate::getVersion).toList();
      assertThat(seen).isSorted().doesNotHaveDuplicates();
      long base = 0;
      for (RoutingUpdate update : watcher.updates) {
        assertThat(update.getBaseVersion()).isIn(0L, base);
        base = update.getVersion();
      }
    }
    assertThat(slow.updates).hasSizeLessThan(versions / 2);
  }

  @Test
  void aTableThatIsOlderIsNotPushed() {
    streams.push(table(9));
    Watcher watcher = watch();
    watcher.take(10);
    Eventually.eventually("the table is there", () -> watcher.version() == 9);
    streams.push(table(8));
    streams.push(table(10));
    Eventually.eventually("the newer one is there", () -> watcher.version() == 10);
    assertThat(watcher.updates).extracting(RoutingUpdate::getVersion).containsExactly(9L, 10L);
  }

  @Test
  void theEndOfTheManagerEndsEveryWatcher() {
    streams.push(table(1));
    Watcher watcher = watch();
    watcher.take(1);
    Eventually.eventually("the table is there", () -> watcher.version() == 1);
    streams.end();
    Eventually.eventually("the watcher is told", () -> watcher.ended);
    assertThat(streams.watchers()).isZero();
  }

  /** As when its machine has lost power, nobody ends the connection. */
  @Test
  void aWatcherThatIsHeardOfNoMoreIsForgotten() {
    streams.push(table(1));
    ChannelOptions quiet = ChannelOptions.defaults().withKeepAlive(Duration.ofHours(1));
    try (CuttingProxy proxy = CuttingProxy.open()) {
      proxy.target(listener.address().port());
      try (GrpcChannel far =
          GrpcChannel.open(new Address("127.0.0.1", proxy.port(), false), quiet)) {
        Watcher watcher = watch(far);
        watcher.take(1);
        Eventually.eventually("the table is there", () -> watcher.version() == 1);

        proxy.loseReplies();

        Eventually.eventually("it is forgotten", () -> streams.watchers() == 0);
      }
    }
  }
}
