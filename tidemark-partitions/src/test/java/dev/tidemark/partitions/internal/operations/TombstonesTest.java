package dev.tidemark.partitions.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.coordination.Candidate;
import dev.tidemark.coordination.LeaderSeat;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.internal.control.Control;
import dev.tidemark.partitions.internal.log.Append;
import dev.tidemark.partitions.internal.log.AppendFailedException;
import dev.tidemark.partitions.internal.log.Journal;
import dev.tidemark.partitions.internal.log.Journal.CheckpointSource;
import dev.tidemark.partitions.internal.log.LogRecord;
import dev.tidemark.partitions.internal.log.StoreJournals;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import dev.tidemark.partitions.internal.store.Phase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The row of a merged partition goes, and its former owner writes nothing all the same. */
class TombstonesTest {
  private static final Subspace PLACE = Subspace.of("cluster");
  private static final String UPPER = "p-1-2";
  private static final String MERGE = "op-1-1";

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();
  private final Control control = Control.in(database, PLACE);
  private final PartitionKeys keys = control.keys();
  private final ClusterRows rows = ClusterRows.of(keys);
  private TermWrites term;
  private Tombstones tombstones;

  @BeforeEach
  void lead() {
    LeaderSeat seat = new LeaderSeat(Tuple.of("leader"), "manager", Duration.ofMinutes(1));
    term =
        new TermWrites(
            control, new Candidate(control.election(), seat, "m1").campaign().orElseThrow());
    tombstones = new Tombstones(term, rows);
    own(Phase.SERVING, 1, Optional.empty());
  }

  @AfterEach
  void close() {
    control.close();
    database.close();
  }

  private void own(Phase phase, long epoch, Optional<String> operation) {
    OwnershipRow row = new OwnershipRow(epoch, "n1", 1, phase, "kv", PartitionRange.ALL, operation);
    database.run(tx -> rows.routing().own(tx, UPPER, row));
  }

  private Journal journal() {
    return new StoreJournals(database, keys, "n1", 1, () -> 0).own(UPPER);
  }

  private static List<Append> entry() {
    return List.of(new Append(new LogRecord(0, Optional.empty(), new byte[] {1}).encode(), null));
  }

  private static CheckpointSource checkpoint() {
    return new CheckpointSource(1, OptionalLong.empty(), List.of(out -> out.write(1)));
  }

  private void sweep() {
    tombstones.sweep(database.read(rows::ownerships));
  }

  private Set<String> partitions() {
    return database.read(rows::ownerships).keySet();
  }

  private boolean isEmpty(KeyRange range) {
    return database.read(tx -> tx.scan(range).first()).isEmpty();
  }

  @Test
  void aTombstoneStaysAsLongAsItsOperationIsListed() {
    OperationRequest merge =
        OperationRequest.merge("p-1-1", UPPER, Optional.empty(), Duration.ofMinutes(1));
    term.run(control -> rows.operations().create(control, MERGE, merge, 1, 0));
    own(Phase.RETIRED, 2, Optional.of(MERGE));

    sweep();
    assertThat(partitions()).containsOnly(UPPER);

    term.run(control -> rows.operations().forget(control, MERGE));
    sweep();
    assertThat(partitions()).isEmpty();
  }

  @Test
  void aPartitionThatIsOwnedStays() throws Exception {
    Journal owner = journal();
    owner.open(0);
    owner.append(1, entry());
    own(Phase.QUIESCED, 1, Optional.of("forgotten long ago"));

    sweep();

    assertThat(partitions()).containsOnly(UPPER);
    assertThat(isEmpty(keys.log(UPPER))).isFalse();
  }

  @Test
  void itsFormerOwnerCanNeitherWriteNorBringItsRowBack() throws Exception {
    Journal zombie = journal();
    zombie.open(0);
    zombie.append(1, entry()); // The next one reads nothing.
    own(Phase.RETIRED, 2, Optional.of(MERGE));
    sweep();

    assertThatThrownBy(() -> zombie.append(2, entry()))
        .isInstanceOfSatisfying(
            AppendFailedException.class,
            failed -> assertThat(failed.reason().reason()).isEqualTo(Reason.MOVED));
    moved(() -> zombie.checkpoint(checkpoint()));
    moved(() -> zombie.stageSplit("op-1-2", checkpoint(), "p-1-3", checkpoint()));
    moved(zombie::quiesce);
    moved(zombie::serve);
    moved(() -> zombie.open(1));
    moved(this::journal);

    assertThat(partitions()).isEmpty();
    assertThat(isEmpty(keys.log(UPPER))).isTrue();
    assertThat(isEmpty(KeyRange.single(keys.logHead(UPPER)))).isTrue();
    assertThat(isEmpty(KeyRange.single(keys.checkpointHead(UPPER)))).isTrue();
  }

  private static void moved(ThrowingCallable write) {
    assertThatThrownBy(write)
        .isInstanceOfSatisfying(
            PartitionException.class,
            refused -> assertThat(refused.reason()).isEqualTo(Reason.MOVED));
  }

  @Test
  void anAppendThatWasOnItsWayMeanwhileIsRefused() {
    try (Transaction late = database.begin()) {
      late.addReadConflict(keys.ownership(UPPER)); // as the appender does
      late.readVersion();
      late.set(keys.logEntry(UPPER, 1), new byte[] {1});
      own(Phase.RETIRED, 2, Optional.of(MERGE));
      sweep();

      assertThatThrownBy(late::commit).isInstanceOf(ConflictException.class);
    }
    assertThat(isEmpty(keys.log(UPPER))).isTrue();
  }
}
