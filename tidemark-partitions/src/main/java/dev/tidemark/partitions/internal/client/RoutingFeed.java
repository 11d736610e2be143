package dev.tidemark.partitions.internal.client;

import dev.tidemark.coordination.Threads;
import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.grpc.GrpcChannel;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.partitions.PartitionClientOptions;
import dev.tidemark.partitions.RoutingTable;
import dev.tidemark.partitions.internal.protocol.ServerAddresses;
import dev.tidemark.partitions.internal.protocol.WireRoutes;
import dev.tidemark.partitions.internal.wire.ManagerGrpc;
import dev.tidemark.partitions.internal.wire.RoutingUpdate;
import dev.tidemark.partitions.internal.wire.WatchRoutingRequest;
import io.grpc.StatusRuntimeException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The newest routing table that a client knows. A stream that ends is replaced by one of the next
 * manager; meanwhile the last table counts.
 */
final class RoutingFeed implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.partitions");
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /** How long a manager is followed before another one is asked because of a doubt. */
  private static final Duration FIRST_TRUST = Duration.ofSeconds(2);

  private static final Duration LONGEST_TRUST = Duration.ofMinutes(1);

  private final PartitionClientOptions options;
  private final Consumer<RoutingTable> listener;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Thread thread;
  private volatile RoutingTable table = RoutingTable.EMPTY;
  private volatile boolean closed;
  private volatile @Nullable GrpcChannel current;

  /** Guarded by lock. */
  private long followedSince;

  /** Guarded by lock. Longer after each doubt, until a newer table comes. */
  private Duration trust = FIRST_TRUST;

  /**
   * Follows the managers of {@code options}.
   *
   * @param listener gets each newer table
   */
  RoutingFeed(PartitionClientOptions options, Consumer<RoutingTable> listener) {
    this.options = options;
    this.listener = listener;
    this.thread = Thread.ofVirtual().name("routing-feed-" + options.name()).start(this::run);
  }

  RoutingTable table() {
    return table;
  }

  /** Waits until the table has at least {@code version}, no longer than {@code patience}. */
  boolean await(long version, Duration patience) {
    long left = patience.toNanos();
    lock.lock();
    try {
      while (table.version() < version && left > 0 && !closed) {
        left = changed.awaitNanos(left);
      }
      return table.version() >= version;
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted while waiting for routes", interrupt);
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    Duration pause = FIRST_PAUSE;
    int next = 0;
    while (!closed) {
      String address = options.managers().get(next++ % options.managers().size());
      try {
        pause = follow(address) ? FIRST_PAUSE : longer(pause);
        options.time().sleep(pause);
      } catch (InterruptedException | InterruptedOperationException end) {
        return;
      } catch (Throwable failure) {
        LOG.log(Level.ERROR, "A client follows routes of another manager", failure);
        pause = LONGEST_PAUSE;
      }
    }
  }

  private static Duration longer(Duration pause) {
    return min(pause.multipliedBy(2), LONGEST_PAUSE);
  }

  /** Follows one manager until its stream ends; whether it sent anything. */
  private boolean follow(String address) {
    boolean heard = false;
    ChannelOptions channels = WireRoutes.forTables(options.channels());
    try (GrpcChannel channel =
        GrpcChannel.open(ServerAddresses.parse(address, channels), channels)) {
      follows(channel);
      Iterator<RoutingUpdate> updates =
          ManagerGrpc.newBlockingStub(channel.channel())
              .watchRouting(WatchRoutingRequest.newBuilder().setClientId(options.name()).build());
      RoutingTable streamed = RoutingTable.EMPTY;
      while (!closed && updates.hasNext()) {
        Optional<RoutingTable> applied = WireRoutes.apply(streamed, updates.next());
        if (applied.isEmpty()) {
          return heard;
        }
        streamed = applied.get();
        learn(streamed);
        heard = true;
      }
    } catch (StatusRuntimeException | DatabaseException ended) {
      LOG.log(Level.DEBUG, "The routes of {0} ended: {1}", address, ended.getMessage());
    } finally {
      current = null;
    }
    return heard;
  }

  private void follows(GrpcChannel channel) {
    lock.lock();
    try {
      followedSince = options.time().nanos();
      current = channel;
    } finally {
      lock.unlock();
    }
    if (closed) {
      channel.close();
    }
  }

  /**
   * Something speaks for a table that is newer than the one here, or against the owner that this
   * one names. The manager that is followed may be paused, cut off or behind, which its connection
   * may tell late or never: the next one is followed, unless this one is new.
   */
  void doubt() {
    GrpcChannel doubted;
    lock.lock();
    try {
      doubted = current;
      if (doubted == null || options.time().nanos() - followedSince < trust.toNanos()) {
        return;
      }
      current = null;
      trust = min(trust.multipliedBy(2), LONGEST_TRUST);
    } finally {
      lock.unlock();
    }
    LOG.log(Level.DEBUG, "The manager at {0} is doubted", doubted.address());
    doubted.close();
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** An older table, from a manager that lags, never replaces a newer one. */
  private void learn(RoutingTable streamed) {
    lock.lock();
    try {
      if (streamed.version() <= table.version()) {
        return;
      }
      table = streamed;
      trust = FIRST_TRUST;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    listener.accept(streamed);
  }

  @Override
  public void close() {
    closed = true;
    GrpcChannel open = current;
    if (open != null) {
      open.close();
    }
    Threads.end(thread);
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits a moment, or until a newer table than {@code version} comes. */
  void pause(long version, Duration moment) {
    await(
        version + 1,
        Duration.ofNanos(Math.max(moment.toNanos(), TimeUnit.MILLISECONDS.toNanos(1))));
  }
}
