package dev.tidemark.chaos.partitions;

import dev.tidemark.chaos.run.ChildProcess;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Parent;
import dev.tidemark.chaos.run.Workspace;
import dev.tidemark.grpc.ListenerOptions;
import dev.tidemark.kv.Subspace;
import dev.tidemark.partitions.PartitionManager;
import dev.tidemark.partitions.PartitionManagerOptions;
import dev.tidemark.partitions.PartitionServer;
import dev.tidemark.partitions.PartitionServerOptions;
import dev.tidemark.remote.RemoteDatabase;
import java.time.Duration;
import java.util.List;

/** A manager or a server of a partitions run, until it is killed or its parent ends. */
final class PartitionsProcess {
  static final Duration LEASE = Duration.ofSeconds(2);
  private static final String MANAGER = "manager";
  private static final String SERVER = "server";
  private static final Subspace CLUSTER = Subspace.of("partitions");

  private PartitionsProcess() {}

  /** Starts a manager; on a free port if {@code port} is 0. */
  static ChildProcess manager(Workspace workspace, String name, String store, int port) {
    return start(workspace, name, List.of(MANAGER, name, store, Integer.toString(port)));
  }

  /** Starts a server that others reach at {@code door}, a port of this machine. */
  static ChildProcess server(Workspace workspace, String name, String store, int door) {
    return start(workspace, name, List.of(SERVER, name, store, Integer.toString(door)));
  }

  private static ChildProcess start(Workspace workspace, String name, List<String> arguments) {
    return ChildProcess.start(workspace, name, PartitionsProcess.class, arguments);
  }

  /** Works as the arguments say. */
  public static void main(String[] args) throws InterruptedException {
    Parent parent = Parent.watch(line -> {});
    RemoteDatabase store = RemoteDatabase.connect(args[2]);
    if (args[0].equals(MANAGER)) {
      PartitionManager manager =
          PartitionManager.open(
              store,
              PartitionManagerOptions.forTypes(CountingActor.TYPE.name())
                  .withId(args[1])
                  .withCluster(CLUSTER)
                  .withLeases(LEASE, LEASE)
                  .withListener(ListenerOptions.defaults().withPort(Integer.parseInt(args[3]))));
      parent.tell(new Message.Serving(manager.address().port()));
    } else {
      PartitionServer server =
          PartitionServer.open(
              store,
              CLUSTER,
              List.of(CountingActor.TYPE),
              PartitionServerOptions.node(args[1])
                  .withLease(LEASE)
                  .withAdvertisedAddress("127.0.0.1:" + args[3]));
      parent.tell(new Message.Serving(server.address().port()));
    }
    Thread.currentThread().join();
  }
}
