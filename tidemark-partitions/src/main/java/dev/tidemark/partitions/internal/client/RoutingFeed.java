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
import org.jspecify.annotations.Nullable;

/**
 * The newest routing table that a client knows. A stream that ends is replaced by one of the next
 * manager; meanwhile the last table counts.
 */
final class RoutingFeed implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.partitions");
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final PartitionClientOptions options;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Thread thread;
  private volatile RoutingTable table = RoutingTable.EMPTY;
  private volatile boolean closed;
  private volatile @Nullable GrpcChannel current;

  RoutingFeed(PartitionClientOptions options) {
    this.options = options;
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
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
  }

  /** Follows one manager until its stream ends; whether it sent anything. */
  private boolean follow(String address) {
    boolean heard = false;
    ChannelOptions channels = WireRoutes.forTables(options.channels());
    try (GrpcChannel channel =
        GrpcChannel.open(ServerAddresses.parse(address, channels), channels)) {
      current = channel;
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

  /** An older table, from a manager that lags, never replaces a newer one. */
  private void learn(RoutingTable streamed) {
    lock.lock();
    try {
      if (streamed.version() > table.version()) {
        table = streamed;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
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
