package dev.tidemark.partitions.internal.manager;

import dev.tidemark.coordination.LeaderElection;
import dev.tidemark.coordination.LeaderSeat;
import dev.tidemark.coordination.Leadership;
import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.partitions.ManagerStatistics;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionOperation;
import dev.tidemark.partitions.RoutingTable;
import dev.tidemark.partitions.internal.control.Control;
import dev.tidemark.partitions.internal.metrics.CountedMetrics;
import dev.tidemark.partitions.internal.operations.ClusterRows;
import dev.tidemark.partitions.internal.operations.TermWrites;
import dev.tidemark.partitions.internal.routing.RoutingWatch;
import dev.tidemark.partitions.internal.store.ControlKeys;
import dev.tidemark.partitions.internal.store.LeaderRow;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A manager without its port: follows the routing table, stands for election, and works while it
 * leads.
 */
public final class ManagerCore implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.partitions");

  private final Control control;
  private final ClusterRows rows;
  private final RemoteHosts hosts;
  private final LoadBoard board;
  private final Leading.Settings settings;
  private final RoutingStreams streams = new RoutingStreams();
  private final RoutingWatch routing;
  private final LeaderSeat seat;
  private final String id;
  private volatile @Nullable Leading leading;
  private volatile @Nullable LeaderElection election;

  ManagerCore(
      Control control,
      String id,
      Duration leaderLease,
      ChannelOptions channels,
      Leading.Settings settings) {
    this.control = control;
    this.rows = ClusterRows.of(control.keys());
    this.hosts = new RemoteHosts(channels);
    this.board = new LoadBoard(control, rows, settings.nodeLease());
    this.settings = settings;
    this.id = id;
    this.seat = new LeaderSeat(Tuple.of("leader"), "manager", leaderLease);
    this.routing = new RoutingWatch(control.rows(), rows.routing(), streams::push);
  }

  /** Stands for election from now on, as the manager that others reach at {@code address}. */
  void campaign(String address) {
    election = new LeaderElection(control.election(), seat, id, new Terms(address));
  }

  /** Stands no more; another may lead at once. */
  void resign() {
    LeaderElection standing = election;
    if (standing != null) {
      standing.close();
    }
  }

  private final class Terms implements LeaderElection.Listener {
    private final String address;

    Terms(String address) {
      this.address = address;
    }

    @Override
    public void elected(Leadership leadership) {
      LOG.log(Level.INFO, "Manager {0} leads in term {1}", id, leadership.term());
      TermWrites term = new TermWrites(control, leadership);
      term.begin();
      announce(term, address);
      leading = new Leading(term, rows, hosts, board, settings);
      settings.metrics().leadership(true, leadership.term());
    }

    @Override
    public void lost(Leadership leadership) {
      LOG.log(Level.INFO, "Manager {0} leads no more", id);
      Leading over = leading;
      leading = null;
      if (over != null) {
        over.close();
      }
      settings.metrics().leadership(false, leadership.term());
    }
  }

  /** Says in the store where the leader is reached. Its lease is with the seat. */
  private void announce(TermWrites term, String address) {
    LeaderRow row =
        new LeaderRow(
            term.leadership().term(),
            id,
            address,
            term.nowMicros() + seat.length().toNanos() / 1_000);
    term.run(all -> all.set(ControlKeys.LEADER, row.encode()));
  }

  String id() {
    return id;
  }

  Instant now() {
    return control.storeTime().now();
  }

  Control control() {
    return control;
  }

  ClusterRows rows() {
    return rows;
  }

  LoadBoard board() {
    return board;
  }

  RoutingStreams streams() {
    return streams;
  }

  /** The newest table that this manager knows. */
  public RoutingTable table() {
    return routing.latest();
  }

  /** The work of the present term, if this manager leads. */
  Optional<Leading> leading() {
    return Optional.ofNullable(leading).filter(work -> work.term.leadership().isHeld());
  }

  /** The term of this manager, if it leads. */
  public Optional<Long> term() {
    return leading().map(work -> work.term.leadership().term());
  }

  /** Numbers of now. */
  ManagerStatistics statistics() {
    CountedMetrics counts = settings.metrics();
    RoutingTable table = table();
    return new ManagerStatistics(
        term().map(OptionalLong::of).orElse(OptionalLong.empty()),
        table.version(),
        table.size(),
        streams.watchers(),
        leading().map(work -> work.runner.running()).orElse(0),
        counts.operations(PartitionOperation.State.DONE),
        counts.operations(PartitionOperation.State.FAILED),
        counts.operations(PartitionOperation.State.CANCELLED));
  }

  Leading requireLeading() {
    return leading()
        .orElseThrow(
            () ->
                new PartitionException(
                    Reason.REFUSED,
                    "This manager does not lead; ask %s"
                        .formatted(
                            leader()
                                .map(LeaderRow::address)
                                .orElse("again when one has been elected"))));
  }

  /** Who leads, or led last, as the store knows it. */
  Optional<LeaderRow> leader() {
    return control.rows().read(all -> all.get(ControlKeys.LEADER).map(LeaderRow::decode));
  }

  /** Resigns first, so that another manager leads at once; then closes everything. */
  @Override
  public void close() {
    resign();
    routing.close();
    hosts.close();
    control.close();
  }
}
