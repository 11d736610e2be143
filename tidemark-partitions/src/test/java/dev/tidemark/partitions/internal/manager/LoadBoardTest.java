package dev.tidemark.partitions.internal.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.internal.control.Control;
import dev.tidemark.partitions.internal.engine.HostStatistics;
import dev.tidemark.partitions.internal.engine.PartitionStatistics;
import dev.tidemark.partitions.internal.operations.ClusterRows;
import dev.tidemark.partitions.internal.policy.ClusterLoad.PartitionLoad;
import dev.tidemark.partitions.internal.store.ControlKeys;
import dev.tidemark.partitions.internal.store.NodeRow;
import dev.tidemark.partitions.internal.store.NodeState;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.Phase;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.model.ModelDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which reports count. */
class LoadBoardTest {
  private static final Duration VALIDITY = Duration.ofSeconds(10);
  private static final NodeRow NODE =
      new NodeRow(2, "127.0.0.1:1", NodeState.ACTIVE, "", Long.MAX_VALUE);

  private final ManualTime time = ManualTime.standing();
  private final Database database = ModelDatabase.open(Limits.DEFAULTS, time);
  private final Control control = Control.in(database, Subspace.of("cluster"));
  private final ClusterRows rows = ClusterRows.of(control.keys());
  private final LoadBoard board = new LoadBoard(control, rows, VALIDITY);

  @BeforeEach
  void write() {
    database.run(
        tx -> {
          RowStore store = control.rows();
          store.in(tx).set(ControlKeys.node("a"), NODE.encode());
          OwnershipRow owner =
              new OwnershipRow(
                  5, "a", 2, Phase.SERVING, "kv", PartitionRange.ALL, Optional.empty());
          rows.routing().own(tx, "p1", owner);
          rows.routing().route(store.in(tx), "p1", owner);
        });
  }

  @AfterEach
  void close() {
    control.close();
    database.close();
  }

  private static HostStatistics report(long incarnation, long epoch) {
    return new HostStatistics(
        "a",
        incarnation,
        List.of(
            new PartitionStatistics(
                "p1",
                "kv",
                epoch,
                true,
                7.0,
                OptionalLong.of(3),
                100,
                0,
                Duration.ZERO,
                Duration.ZERO,
                0)));
  }

  private Optional<HostStatistics> ofNode() {
    return board.of("a", NODE, Instant.EPOCH);
  }

  private PartitionLoad load() {
    return board.load(Instant.EPOCH).partitions().getFirst();
  }

  @Test
  void aReportCountsForOneLease() {
    board.report(report(2, 5));
    assertThat(ofNode()).isPresent();
    assertThat(load().rps()).isEqualTo(7.0);
    time.advance(VALIDITY.plusMillis(1));
    assertThat(ofNode()).isEmpty();
    assertThat(load().load()).isEmpty();
    assertThat(board.load(Instant.EPOCH).nodes().getFirst().reporting()).isFalse();
  }

  @Test
  void onlyTheIncarnationOfNowCounts() {
    board.report(report(1, 5));
    assertThat(ofNode()).isEmpty();
    board.report(report(2, 5));
    board.report(report(1, 5));
    assertThat(ofNode()).hasValueSatisfying(one -> assertThat(one.incarnation()).isEqualTo(2));
  }

  @Test
  void whatAPartitionDidInAnEarlierEpochDoesNotCount() {
    board.report(report(2, 4));
    assertThat(ofNode()).isPresent();
    assertThat(load().load()).isEmpty();
    board.report(report(2, 5));
    assertThat(load().rps()).isEqualTo(7.0);
  }

  @Test
  void whatOtherNodesReportedIsForgotten() {
    board.report(report(2, 5));
    board.keepOnly(Set.of("a"));
    assertThat(ofNode()).isPresent();
    board.keepOnly(Set.of("b"));
    assertThat(ofNode()).isEmpty();
  }
}
