package dev.tidemark.partitions.internal.server;

import dev.tidemark.coordination.Heartbeat;
import dev.tidemark.coordination.HeldLease;
import dev.tidemark.coordination.LeaseWatch;
import dev.tidemark.partitions.ActorType;
import dev.tidemark.partitions.internal.control.Control;
import dev.tidemark.partitions.internal.engine.Engine;
import dev.tidemark.partitions.internal.engine.EngineHost;
import dev.tidemark.partitions.internal.log.StoreJournals;
import dev.tidemark.partitions.internal.members.NodeTable;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * One start of a node, from its joining to the end of its lease: the lease, and the engine under
 * it.
 */
final class Incarnation {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.partitions");

  private final Control control;
  private final NodeTable table = new NodeTable();
  private final ServerSettings settings;
  private final long number;
  private final HeldLease lease;
  private final Engine engine;
  private final EngineHost host;
  private final List<String> types;
  private final StatisticsReports reports;
  private final LeaseWatch watch;
  private final Heartbeat heartbeat;

  private Incarnation(
      Control control,
      ServerSettings settings,
      long number,
      HeldLease lease,
      Collection<? extends ActorType<?, ?>> types,
      Runnable onLost) {
    this.control = control;
    this.settings = settings;
    this.number = number;
    this.lease = lease;
    this.engine =
        new Engine(
            types,
            new StoreJournals(
                control.database(),
                control.keys(),
                settings.node(),
                number,
                control::routingVersion),
            settings.engine(),
            () -> !lease.isLost(),
            control.time());
    this.host = engine.host(settings.node(), number);
    this.types = types.stream().map(ActorType::name).sorted().toList();
    this.reports = new StatisticsReports(control, settings, host::statistics);
    engine.start();
    this.watch = new LeaseWatch("tidemark-node-lease-" + settings.node(), lease, onLost);
    this.heartbeat =
        new Heartbeat("tidemark-node-heartbeat-" + settings.node(), lease, new Beats());
    reports.send();
  }

  /**
   * Joins the cluster as a new incarnation.
   *
   * @param onLost called once when the lease is lost
   */
  static Incarnation join(
      Control control,
      ServerSettings settings,
      String address,
      Collection<? extends ActorType<?, ?>> types,
      Runnable onLost) {
    NodeTable table = new NodeTable();
    // Shorter than the row says, so that this server stops before another may begin.
    HeldLease lease = new HeldLease(control.time(), settings.lease().multipliedBy(2).dividedBy(3));
    long[] number = new long[1];
    lease.renew(
        () -> {
          Instant now = control.storeTime().now();
          number[0] =
              control
                  .rows()
                  .transact(
                      rows ->
                          table
                              .join(
                                  rows,
                                  settings.node(),
                                  address,
                                  settings.generation(),
                                  now,
                                  settings.lease())
                              .incarnation());
          return true;
        });
    return new Incarnation(control, settings, number[0], lease, types, onLost);
  }

  String node() {
    return settings.node();
  }

  long number() {
    return number;
  }

  Engine engine() {
    return engine;
  }

  EngineHost host() {
    return host;
  }

  /** The names of the actor types that this server has. */
  List<String> types() {
    return types;
  }

  private final class Beats implements Heartbeat.Steps {
    @Override
    public boolean renew() {
      Instant now = control.storeTime().now();
      Duration length = settings.lease();
      return control
          .rows()
          .transact(rows -> table.renew(rows, settings.node(), number, now, length));
    }

    @Override
    public void beaten() {
      if (lease.isLost()) {
        watch.look();
      } else {
        reports.send();
      }
    }

    @Override
    public void failed(Throwable failure) {
      LOG.log(
          Level.WARNING,
          "The lease of node %s could not be renewed; the next try follows"
              .formatted(settings.node()),
          failure);
    }
  }

  /** Whether its lease has ended. */
  boolean isLost() {
    return lease.isLost();
  }

  /** Drops everything and writes nothing more: other nodes may own the partitions by now. */
  void abandon() {
    lease.lose();
    heartbeat.close();
    watch.close();
    engine.abandon();
    reports.close();
  }

  /** As {@link #abandon}, from the thread that watches the lease, which ends by itself. */
  void abandonAfterLoss() {
    heartbeat.close();
    engine.abandon();
    reports.close();
  }

  /** Writes checkpoints, leaves the cluster and ends. */
  void leave() {
    engine.close();
    heartbeat.close();
    watch.close();
    reports.close();
    lease.lose();
    try {
      boolean left =
          control
              .rows()
              .transact(
                  rows -> {
                    table.leave(rows, settings.node(), number);
                    return true;
                  });
      LOG.log(Level.DEBUG, "Node {0} has left: {1}", settings.node(), left);
    } catch (RuntimeException failure) {
      LOG.log(
          Level.WARNING,
          "Node %s could not say that it leaves; its lease ends by itself"
              .formatted(settings.node()),
          failure);
    }
  }
}
