package dev.tidemark.partitions.internal.server;

import dev.tidemark.coordination.Threads;
import dev.tidemark.grpc.Address;
import dev.tidemark.grpc.GrpcListener;
import dev.tidemark.grpc.Role;
import dev.tidemark.grpc.ServedApi;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.partitions.ActorType;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionServerStatistics;
import dev.tidemark.partitions.internal.control.Control;
import dev.tidemark.partitions.internal.engine.Engine;
import dev.tidemark.partitions.internal.members.NodeTable;
import dev.tidemark.partitions.internal.metrics.CountedMetrics;
import dev.tidemark.partitions.internal.protocol.FrameLimits;
import dev.tidemark.partitions.internal.store.ClusterFormat;
import dev.tidemark.partitions.internal.wire.PartitionsGrpc;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A node that listens: one incarnation after another. */
public final class ServingNode implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.partitions");
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Control control;
  private final Collection<? extends ActorType<?, ?>> types;
  private final ServerSettings settings;
  private final RequestSessions sessions;
  private final GrpcListener listener;
  private final CountedMetrics counts;
  private final ReentrantLock closing = new ReentrantLock();

  /** One start at a time: a lease that is lost again calls for another one. */
  private final ReentrantLock joining = new ReentrantLock();

  private volatile @Nullable Incarnation current;
  private volatile boolean closed;

  private ServingNode(
      Control control, Collection<? extends ActorType<?, ?>> types, ServerSettings settings) {
    this.control = control;
    this.types = List.copyOf(types);
    this.settings = settings;
    this.counts = new CountedMetrics(settings.metrics());
    this.sessions = new RequestSessions(settings.node());
    ServedRequests requests =
        new ServedRequests(this::engine, settings.requestTimeout(), counts, control.time());
    ServedApi api =
        ServedApi.of(new PartitionsService(requests, sessions), Role.WRITE)
            .withRole(PartitionsGrpc.getScanMethod(), Role.READ)
            .withService(new ControlService(this::incarnationNow), Role.NODE)
            .withMessageBytes(FrameLimits.FRAME_BYTES)
            .withDrain(sessions);
    this.listener = listen(api);
  }

  private GrpcListener listen(ServedApi api) {
    try {
      return GrpcListener.open(api, settings.listener());
    } catch (RuntimeException | Error failure) {
      sessions.close();
      throw failure;
    }
  }

  private void stopListening() {
    listener.close();
    sessions.close();
  }

  /** Listens, and joins. */
  public static ServingNode open(
      Control control, Collection<? extends ActorType<?, ?>> types, ServerSettings settings) {
    Engine.checkTypes(types);
    control.database().run(tx -> ClusterFormat.check(tx, control.keys()));
    ServingNode node = new ServingNode(control, types, settings);
    try {
      node.joinInTime();
      return node;
    } catch (RuntimeException | Error failure) {
      node.stopListening();
      throw failure;
    }
  }

  private void joinInTime() {
    long begin = control.time().nanos();
    while (true) {
      try {
        join();
        return;
      } catch (PartitionException refused) {
        boolean late = control.time().nanos() - begin > settings.joinTimeout().toNanos();
        if (late || !mayPass(refused)) {
          throw refused;
        }
      }
      if (!pause(PAUSE)) {
        throw new PartitionException(Reason.BUSY, "Interrupted while joining");
      }
    }
  }

  /** Whether waiting helps: nobody leads yet, or the lease of an earlier start is not over. */
  private boolean mayPass(PartitionException refused) {
    if (refused.reason() != Reason.REFUSED) {
      return refused.reason().isRetryable();
    }
    Instant now = control.storeTime().now();
    return control
        .rows()
        .read(rows -> new NodeTable().find(rows, settings.node()))
        .filter(row -> NodeTable.isAlive(row, now))
        .isPresent();
  }

  /** Joins, unless that has happened. */
  private void join() {
    joining.lock();
    try {
      if (current == null) {
        joinAnew();
      }
    } finally {
      joining.unlock();
    }
  }

  private void joinAnew() {
    Incarnation joined =
        Incarnation.join(
            control,
            settings,
            settings.advertised().orElse(listener.address().host() + ":" + listener.port()),
            types,
            this::leaseLost);
    current = joined;
    if (closed) {
      joined.abandon();
    } else if (joined.isLost()) {
      // Its watch may have called before it was the current one.
      current = null;
      joined.abandonAfterLoss();
      throw new PartitionException(
          Reason.BUSY, "Node %s has lost its lease as it joined".formatted(settings.node()));
    }
  }

  /** Ends what this incarnation had, and begins another one. Called by the watch of the lease. */
  private void leaseLost() {
    LOG.log(
        Level.WARNING,
        "Node {0} has lost its lease; it drops its partitions and joins again",
        settings.node());
    Incarnation lost = current;
    // The current one may be a later one already, that has its lease.
    if (lost != null && lost.isLost()) {
      current = null;
      // The store may not answer: nothing here waits for it.
      Thread.ofVirtual()
          .name("tidemark-node-abandon-" + settings.node())
          .start(lost::abandonAfterLoss);
    }
    Thread.ofVirtual().name("tidemark-node-rejoin-" + settings.node()).start(this::rejoin);
  }

  private void rejoin() {
    while (!closed && current == null) {
      try {
        join();
        return;
      } catch (PartitionException | DatabaseException refused) {
        LOG.log(
            Level.WARNING,
            "Node %s cannot join again yet: %s".formatted(settings.node(), refused.getMessage()));
      } catch (Throwable failure) {
        LOG.log(Level.ERROR, "Node %s cannot join again yet".formatted(settings.node()), failure);
      }
      if (!pause(settings.lease().dividedBy(3))) {
        return;
      }
    }
  }

  private boolean pause(Duration duration) {
    try {
      control.time().sleep(duration);
      return true;
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private Incarnation incarnationNow() {
    Incarnation now = current;
    if (now == null || closed) {
      throw new PartitionException(
              Reason.NO_LEASE, "Node %s is not a member now".formatted(settings.node()))
          .retryAfter(PAUSE);
    }
    return now;
  }

  private Engine engine() {
    return incarnationNow().engine();
  }

  public String name() {
    return settings.node();
  }

  public long incarnation() {
    Incarnation now = current;
    return now == null ? 0 : now.number();
  }

  /** Numbers of now. */
  public PartitionServerStatistics statistics() {
    Incarnation now = current;
    return new PartitionServerStatistics(
        now == null ? 0 : now.number(),
        counts.requests(),
        counts.failures(),
        now == null ? List.of() : now.host().statistics().loads());
  }

  public Address address() {
    return listener.address();
  }

  /** Gives the partitions away, leaves and ends. */
  @Override
  public void close() {
    Threads.undisturbed(this::leave);
  }

  private void leave() {
    closing.lock();
    try {
      if (closed) {
        return;
      }
      if (!settings.drainTimeout().isZero() && current != null) {
        new Departure(control, settings).drain();
      }
      closed = true;
      Incarnation last = current;
      current = null;
      stopListening();
      if (last != null) {
        last.leave();
      }
      control.close();
    } finally {
      closing.unlock();
    }
  }

  /** Ends at once, and says nothing to anybody. */
  public void kill() {
    closing.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      Incarnation last = current;
      current = null;
      if (last != null) {
        last.abandon();
      }
      stopListening();
      control.close();
    } finally {
      closing.unlock();
    }
  }
}
