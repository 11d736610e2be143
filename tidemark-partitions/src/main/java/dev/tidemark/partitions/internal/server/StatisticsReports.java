package dev.tidemark.partitions.internal.server;

import dev.tidemark.coordination.Threads;
import dev.tidemark.grpc.Address;
import dev.tidemark.grpc.GrpcChannel;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.internal.control.Control;
import dev.tidemark.partitions.internal.engine.HostStatistics;
import dev.tidemark.partitions.internal.protocol.ServerAddresses;
import dev.tidemark.partitions.internal.protocol.WireStatistics;
import dev.tidemark.partitions.internal.store.ControlKeys;
import dev.tidemark.partitions.internal.store.LeaderRow;
import dev.tidemark.partitions.internal.wire.ManagerGrpc;
import io.grpc.StatusRuntimeException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reports to the leading manager what the partitions of this node did, with each beat of its lease.
 * A report has a thread of its own and never holds up the heartbeat; while one is on its way, the
 * next one is left out.
 */
final class StatisticsReports implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.partitions");
  private static final Duration LIMIT = Duration.ofSeconds(2);

  /**
   * A single failed report may just mean that the leader changed; this many in a row are logged.
   */
  private static final int FAILURES_TOLD = 3;

  private final Control control;
  private final ServerSettings settings;
  private final Supplier<HostStatistics> statistics;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by lock. */
  private @Nullable Thread reporter;

  private volatile boolean closed;

  // Used by one reporter after the other.
  private @Nullable GrpcChannel channel;
  private int failures;

  StatisticsReports(Control control, ServerSettings settings, Supplier<HostStatistics> statistics) {
    this.control = control;
    this.settings = settings;
    this.statistics = statistics;
  }

  /** Sends a report, unless one is on its way. Returns at once. */
  void send() {
    lock.lock();
    try {
      if (!closed && (reporter == null || !reporter.isAlive())) {
        reporter =
            Thread.ofVirtual().name("tidemark-node-report-" + settings.node()).start(this::report);
      }
    } finally {
      lock.unlock();
    }
  }

  private void report() {
    try {
      Optional<LeaderRow> leader =
          control.rows().read(rows -> rows.get(ControlKeys.LEADER).map(LeaderRow::decode));
      if (leader.isPresent()) {
        ManagerGrpc.newBlockingStub(channelTo(leader.get()).channelNow())
            .withDeadlineAfter(LIMIT.toNanos(), TimeUnit.NANOSECONDS)
            .reportStats(WireStatistics.toWire(statistics.get()));
        failures = 0;
      }
    } catch (StatusRuntimeException | DatabaseException | PartitionException failure) {
      failures++;
      LOG.log(
          failures == FAILURES_TOLD ? Level.WARNING : Level.DEBUG,
          "Node %s cannot tell the leading manager its statistics, and policies leave it alone: %s"
              .formatted(settings.node(), failure.getMessage()));
    } catch (Throwable failure) {
      LOG.log(Level.ERROR, "Node %s sends no report".formatted(settings.node()), failure);
    } finally {
      if (closed) {
        closeChannel();
      }
    }
  }

  private GrpcChannel channelTo(LeaderRow leader) {
    Address address = ServerAddresses.parse(leader.address(), settings.channel());
    GrpcChannel open = channel;
    if (open != null && open.address().equals(address)) {
      return open;
    }
    closeChannel();
    GrpcChannel next = GrpcChannel.open(address, settings.channel());
    channel = next;
    return next;
  }

  private void closeChannel() {
    if (channel != null) {
      channel.close();
      channel = null;
    }
  }

  @Override
  public void close() {
    Thread last;
    lock.lock();
    try {
      closed = true;
      last = reporter;
    } finally {
      lock.unlock();
    }
    if (last != null) {
      Threads.end(last);
    }
    closeChannel();
  }
}
