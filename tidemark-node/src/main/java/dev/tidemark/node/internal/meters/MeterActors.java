package dev.tidemark.node.internal.meters;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.partitions.ActorType;
import dev.tidemark.partitions.PartitionClient;
import dev.tidemark.partitions.PartitionClientOptions;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionManager;
import dev.tidemark.partitions.PartitionManagerOptions;
import dev.tidemark.partitions.PartitionServer;
import dev.tidemark.partitions.PartitionServerOptions;
import dev.tidemark.partitions.Policy;
import dev.tidemark.partitions.Route;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.Start;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The actors of the demo: a manager and two servers in this process, and a feeder that sends them
 * every reading of the stream. Partitions split by themselves when they get many requests.
 */
final class MeterActors implements AutoCloseable {
  private static final Subspace CLUSTER = Subspace.of("demo", "cluster");
  private static final double SPLIT_ABOVE_MAX = 2_000;
  private static final Duration CHECK_EVERY = Duration.ofSeconds(2);
  private static final Duration LEASE = Duration.ofSeconds(5);
  private static final int BATCH = 1_000;

  private final ActorType<Message, String> type;
  private final PartitionManager manager;
  private final List<PartitionServer> servers = new ArrayList<>();
  private final PartitionClient client;
  private final Sink sink;
  private final Thread feeder;
  private volatile boolean stopped;

  /** Opens them; a partition that gets a fourth of {@code rate} or more splits. */
  MeterActors(Database database, Pulse pulse, GridStore grid, int rate) {
    this.type = MeterActor.type(grid);
    this.manager =
        PartitionManager.open(
            database,
            PartitionManagerOptions.forTypes(type.name())
                .withCluster(CLUSTER)
                .withLeases(LEASE, LEASE)
                .withPolicy(Policy.auto(Math.min(rate / 4.0, SPLIT_ABOVE_MAX), CHECK_EVERY)));
    for (String node : List.of("node-1", "node-2")) {
      servers.add(
          PartitionServer.open(
              database,
              CLUSTER,
              List.of(type),
              PartitionServerOptions.node(node).withLease(LEASE).withDrainTimeout(Duration.ZERO)));
    }
    this.client =
        PartitionClient.connect(PartitionClientOptions.managers(manager.address().toString()));
    this.sink =
        Worker.stream(pulse).sink("actors", o -> o.withStart(Start.oldest()).withBatchMax(BATCH));
    this.feeder = Rounds.start(database, "meter-actors", () -> stopped, this::feed);
  }

  /** How many partitions there are by now. */
  int partitions() {
    return client.routing().size();
  }

  /** Which partitions there are by now, in the order of their keys. */
  List<Route> routes() {
    return client.routing().routes(type.name());
  }

  private void feed() {
    List<Event> events = sink.read();
    if (!events.isEmpty()) {
      send(events);
    }
  }

  /** An event is acknowledged when its actor has answered; the others come again. */
  private void send(List<Event> events) {
    List<Event> parsed = new ArrayList<>();
    List<Event> done = new ArrayList<>();
    List<PartitionClient.Request<Message>> requests = new ArrayList<>();
    for (Event event : events) {
      Optional<Message> message = Message.parse(event.payload());
      if (message.isPresent()) {
        parsed.add(event);
        requests.add(
            new PartitionClient.Request<>(MeterActor.key(message.get().meter()), message.get()));
      } else {
        done.add(event);
      }
    }
    List<PartitionClient.Reply<String>> replies = client.sendAll(type, requests);
    for (int i = 0; i < replies.size(); i++) {
      if (replies.get(i).failure().isEmpty()) {
        done.add(parsed.get(i));
      } else {
        warn(replies.get(i).failure().get());
      }
    }
    sink.ackAll(done);
  }

  private void warn(PartitionException failure) {
    if (!stopped) {
      System.getLogger(MeterActors.class.getName())
          .log(System.Logger.Level.WARNING, "A reading is sent to its actor again", failure);
    }
  }

  @Override
  public void close() {
    stopped = true;
    sink.close();
    try {
      feeder.join();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    client.close();
    servers.forEach(PartitionServer::close);
    manager.close();
  }
}
