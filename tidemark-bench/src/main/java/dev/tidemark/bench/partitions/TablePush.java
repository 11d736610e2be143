package dev.tidemark.bench.partitions;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.tidemark.bench.measure.Report;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.grpc.GrpcChannel;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.PartitionManager;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.internal.control.Control;
import dev.tidemark.partitions.internal.routing.RoutingRows;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.Phase;
import dev.tidemark.partitions.internal.wire.ManagerGrpc;
import dev.tidemark.partitions.internal.wire.RoutingUpdate;
import dev.tidemark.partitions.internal.wire.WatchRoutingRequest;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How long it takes until watchers of a manager have a routing table: first the whole one, then a
 * change of it. The watchers are streams over a few connections, in the process of the manager.
 */
final class TablePush {
  private static final int CONNECTIONS = 8;

  private static final int BUFFER = 64;

  private final int entries;
  private final int watchers;
  private final Report report;

  TablePush(int entries, int watchers, Report report) {
    this.entries = entries;
    this.watchers = watchers;
    this.report = report;
  }

  /** Watches, and reads of each message no more than its version: the manager is measured. */
  private static final MethodDescriptor<WatchRoutingRequest, Long> WATCH =
      ManagerGrpc.getWatchRoutingMethod().toBuilder(
              ManagerGrpc.getWatchRoutingMethod().getRequestMarshaller(), new Version())
          .build();

  private static final class Version implements MethodDescriptor.Marshaller<Long> {
    @Override
    public InputStream stream(Long version) {
      throw new UnsupportedOperationException("Watchers send no tables");
    }

    @Override
    public Long parse(InputStream update) {
      try {
        CodedInputStream fields = CodedInputStream.newInstance(update, BUFFER);
        for (int tag = fields.readTag(); tag != 0; tag = fields.readTag()) {
          if (WireFormat.getTagFieldNumber(tag) == RoutingUpdate.VERSION_FIELD_NUMBER) {
            return fields.readUInt64();
          }
          fields.skipField(tag);
        }
        throw new IOException("an update without a version");
      } catch (IOException malformed) {
        throw new UncheckedIOException(malformed);
      }
    }
  }

  private static final class Watcher implements StreamObserver<Long> {
    volatile long version;

    @Override
    public void onNext(Long told) {
      version = told;
    }

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onCompleted() {}
  }

  /** Seconds from the commit of a change until the last watcher has it. */
  double seconds() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory();
        Control control = Control.in(database, PartitionsCluster.PLACE)) {
      RoutingRows routing = new RoutingRows(control.keys());
      put(control, routing, 0, entries, 1);
      try (PartitionsCluster cluster = new PartitionsCluster(database, CounterActor.TYPE)) {
        PartitionManager manager = cluster.manager();
        PartitionsCluster.await("the table is known", () -> manager.routing().version() == 1);
        List<GrpcChannel> channels = new ArrayList<>();
        try {
          long began = System.nanoTime();
          List<Watcher> all = watch(manager, channels);
          await(all, 1);
          report.say("  %-28s %,14.3f".formatted("whole table, s", since(began)));
          report.put("push whole table s", since(began));
          began = System.nanoTime();
          put(control, routing, entries / 2, entries / 2 + 1, 2);
          await(all, 2);
          return since(began);
        } finally {
          channels.forEach(GrpcChannel::close);
        }
      }
    }
  }

  private List<Watcher> watch(PartitionManager manager, List<GrpcChannel> channels) {
    for (int i = 0; i < CONNECTIONS; i++) {
      channels.add(GrpcChannel.open(manager.address(), ChannelOptions.defaults()));
    }
    List<Watcher> all = new ArrayList<>();
    for (int i = 0; i < watchers; i++) {
      Watcher watcher = new Watcher();
      ClientCalls.asyncServerStreamingCall(
          channels.get(i % CONNECTIONS).channel().newCall(WATCH, CallOptions.DEFAULT),
          WatchRoutingRequest.getDefaultInstance(),
          watcher);
      all.add(watcher);
    }
    return all;
  }

  private static void await(List<Watcher> all, long version) throws InterruptedException {
    PartitionsCluster.await(
        "every watcher has version " + version,
        () -> all.stream().allMatch(watcher -> watcher.version >= version));
  }

  private static double since(long began) {
    return (System.nanoTime() - began) / 1e9;
  }

  /** Writes routes; nobody owns them, so that the manager leaves them alone. */
  private void put(Control control, RoutingRows routing, int from, int to, long epoch) {
    control
        .rows()
        .transact(
            rows -> {
              for (int i = from; i < to; i++) {
                routing.route(rows, "p" + i, owner(i, epoch));
              }
              routing.bumpVersion(rows);
              return to - from;
            });
  }

  private OwnershipRow owner(int number, long epoch) {
    PartitionRange range =
        new PartitionRange(
            number == 0 ? Key.EMPTY : start(number),
            number == entries - 1 ? Optional.empty() : Optional.of(start(number + 1)));
    return new OwnershipRow(
        epoch, "node", 1, Phase.SERVING, CounterActor.NAME, range, Optional.empty());
  }

  private static Key start(int number) {
    return Key.utf8("k%06d".formatted(number));
  }
}
