package dev.tidemark.partitions.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionRange;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The bytes on the page docs/formats/partitions.md are those that are written. */
class RowsTest {
  private static final PartitionKeys KEYS = new PartitionKeys(Subspace.of("c"));

  private static final OwnershipRow OWNERSHIP =
      new OwnershipRow(
          7,
          "n1",
          3,
          Phase.SERVING,
          "kv",
          PartitionRange.of(Key.EMPTY, Key.utf8("m")),
          Optional.of("op1"));

  private static final CheckpointHeadRow CHECKPOINT =
      new CheckpointHeadRow("e7-300", 300, 7, 2, 1234, OptionalLong.of(17));

  @Test
  void ownershipRowComesBackFromItsBytes() {
    assertThat(hex(OWNERSHIP.encode()))
        .isEqualTo("011507026e310015031501026b7600010001" + "6d00026f703100");
    assertThat(OwnershipRow.decode(OWNERSHIP.encode())).isEqualTo(OWNERSHIP);
  }

  @Test
  void everyOtherRowComesBackFromItsBytes() {
    RouteRow route = new RouteRow("p1", Optional.empty(), "n1", 7);
    assertThat(RouteRow.decode(route.encode())).isEqualTo(route);
    NodeRow node = new NodeRow(3, "127.0.0.1:7001", NodeState.DRAINING, "v2", 1_000_000);
    assertThat(NodeRow.decode(node.encode())).isEqualTo(node);
    LeaderRow leader = new LeaderRow(4, "m1", "127.0.0.1:7000", 5);
    assertThat(LeaderRow.decode(leader.encode())).isEqualTo(leader);
    assertThat(CounterRow.decode(new CounterRow(9).encode())).isEqualTo(new CounterRow(9));
    LogHeadRow log = new LogHeadRow(300, 7);
    assertThat(LogHeadRow.decode(log.encode())).isEqualTo(log);
    assertThat(CheckpointHeadRow.decode(CHECKPOINT.encode())).isEqualTo(CHECKPOINT);
    StagedRow staged = new StagedRow(7, 300, Optional.of(CHECKPOINT));
    assertThat(StagedRow.decode(staged.encode())).isEqualTo(staged);
    StagedRow ending = new StagedRow(7, 300, Optional.empty());
    assertThat(StagedRow.decode(ending.encode())).isEqualTo(ending);
    OperationLockRow lock = new OperationLockRow("op1", 4);
    assertThat(OperationLockRow.decode(lock.encode())).isEqualTo(lock);
  }

  @Test
  void operationRowComesBackFromItsBytes() {
    OperationRow split =
        new OperationRow(
            OperationRow.Kind.SPLIT,
            OperationRow.Status.RUNNING,
            "stage",
            Optional.of("kv"),
            Optional.of("p1"),
            Optional.of("p2"),
            Optional.empty(),
            Optional.of(Key.utf8("m")),
            2,
            10,
            20,
            15,
            Optional.of("no answer"));
    assertThat(OperationRow.decode(split.encode())).isEqualTo(split);
  }

  @Test
  void rowOfANewerFormatIsRefused() {
    byte[] row = OWNERSHIP.encode();
    row[0] = 2;
    assertThatThrownBy(() -> OwnershipRow.decode(row))
        .isInstanceOf(PartitionException.class)
        .hasMessageContaining("has format 2");
    assertThatThrownBy(() -> OwnershipRow.decode(new byte[0]))
        .hasMessageContaining("has format none");
    assertThatThrownBy(() -> LogHeadRow.decode(OWNERSHIP.encode()))
        .hasMessageContaining("8 fields instead of 2");
  }

  @Test
  void keysAreTuplesInTheSubspaceOfTheCluster() {
    assertThat(KEYS.ownership("p1").toHex()).isEqualTo("026300" + "026f776e00" + "02703100");
    assertThat(KEYS.logEntry("p1", 300).toHex())
        .isEqualTo("026300" + "0277616c00" + "02703100" + "16012c");
    assertThat(KEYS.lsnOf(KEYS.logEntry("p1", 300))).isEqualTo(300);
    assertThat(ControlKeys.routedStart(ControlKeys.route("kv", Key.utf8("m"))))
        .isEqualTo(Key.utf8("m"));
  }

  @Test
  void logIsCutBehindAnEntry() {
    assertThat(KEYS.logThrough("p1", 5).contains(KEYS.logEntry("p1", 5))).isTrue();
    assertThat(KEYS.logThrough("p1", 5).contains(KEYS.logEntry("p1", 6))).isFalse();
    assertThat(KEYS.logBehind("p1", 5).contains(KEYS.logEntry("p1", 5))).isFalse();
    assertThat(KEYS.logBehind("p1", 5).contains(KEYS.logEntry("p1", 6))).isTrue();
    assertThat(KEYS.log("p1").contains(KEYS.logEntry("p10", 6))).isFalse();
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
