package dev.tidemark.chaos.partitions;

import dev.tidemark.chaos.run.ChildProcess;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Parent;
import dev.tidemark.chaos.run.Workspace;
import dev.tidemark.coordination.RowStore;
import dev.tidemark.grpc.ListenerOptions;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.partitions.ActorType;
import dev.tidemark.partitions.PartitionManager;
import dev.tidemark.partitions.PartitionManagerOptions;
import dev.tidemark.partitions.PartitionServer;
import dev.tidemark.partitions.PartitionServerOptions;
import dev.tidemark.partitions.etcd.EtcdOptions;
import dev.tidemark.partitions.etcd.EtcdRows;
import dev.tidemark.remote.RemoteDatabase;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A manager or a server of a partitions run, until it is killed or its parent ends. */
final class PartitionsProcess {
  static final Duration LEASE = Duration.ofSeconds(2);

  /** In place of the address of an etcd: the control rows are in the store. */
  static final String NO_ETCD = "-";

  /** Below half of the leases. */
  private static final Duration ETCD_TIMEOUT = Duration.ofMillis(900);

  private static final int CONNECTS_MAX = 20;

  private static final String MANAGER = "manager";
  private static final String SERVER = "server";
  private static final Subspace CLUSTER = Subspace.of("partitions");

  private PartitionsProcess() {}

  /** Starts a manager; on a free port if {@code port} is 0. */
  static ChildProcess manager(
      Workspace workspace, String name, String store, String etcd, String type, int port) {
    return start(
        workspace, name, List.of(MANAGER, name, store, Integer.toString(port), etcd, type));
  }

  /** Starts a server that others reach at {@code door}, a port of this machine. */
  static ChildProcess server(
      Workspace workspace, String name, String store, String etcd, String type, int door) {
    return start(workspace, name, List.of(SERVER, name, store, Integer.toString(door), etcd, type));
  }

  private static ChildProcess start(Workspace workspace, String name, List<String> arguments) {
    return ChildProcess.start(workspace, name, PartitionsProcess.class, arguments);
  }

  /** Works as the arguments say. */
  public static void main(String[] args) throws InterruptedException {
    Parent parent = Parent.watch(line -> {});
    RemoteDatabase store = RemoteDatabase.connect(args[2]);
    ActorType<?, ?> type = type(args[5]);
    int port =
        args[0].equals(MANAGER)
            ? open(store, managerOptions(args[1], type, Integer.parseInt(args[3])), args[4])
            : open(store, serverOptions(args[1], args[3]), type, args[4]);
    parent.tell(new Message.Serving(port));
    Thread.currentThread().join();
  }

  private static ActorType<?, ?> type(String name) {
    return Stream.of(CountingActor.TYPE, ValueActor.TYPE)
        .filter(type -> type.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static PartitionManagerOptions managerOptions(
      String name, ActorType<?, ?> type, int port) {
    return PartitionManagerOptions.forTypes(type.name())
        .withId(name)
        .withCluster(CLUSTER)
        .withLeases(LEASE, LEASE)
        .withListener(ListenerOptions.defaults().withPort(port));
  }

  private static PartitionServerOptions serverOptions(String name, String door) {
    return PartitionServerOptions.node(name)
        .withLease(LEASE)
        .withAdvertisedAddress("127.0.0.1:" + door);
  }

  private static int open(RemoteDatabase store, PartitionManagerOptions options, String etcd) {
    PartitionManager manager =
        etcd.equals(NO_ETCD)
            ? PartitionManager.open(store, options)
            : PartitionManager.open(store, options, rows(etcd));
    return manager.address().port();
  }

  /** The server gives its partitions away when the process is asked to end (SIGTERM). */
  private static int open(
      RemoteDatabase store, PartitionServerOptions options, ActorType<?, ?> type, String etcd) {
    PartitionServer server =
        etcd.equals(NO_ETCD)
            ? PartitionServer.open(store, CLUSTER, List.of(type), options)
            : PartitionServer.open(store, CLUSTER, List.of(type), options, rows(etcd));
    Runtime.getRuntime().addShutdownHook(new Thread(server::close, "server-close"));
    return server.address().port();
  }

  /** A process that starts on a busy machine may need longer than a call to etcd may take. */
  private static RowStore rows(String etcd) {
    EtcdOptions options = EtcdOptions.at(etcd).withTimeout(ETCD_TIMEOUT);
    for (int attempt = 1; ; attempt++) {
      try {
        return EtcdRows.connect(options);
      } catch (UnavailableException unanswered) {
        if (attempt == CONNECTS_MAX) {
          throw unanswered;
        }
      }
    }
  }
}
