package dev.tidemark.records.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.DamagedRecordException;
import dev.tidemark.records.DynamicRecord;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.maintenance.UpkeepEvent.Swept;
import dev.tidemark.records.schema.DeleteRule;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.model.ModelDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Sweeps of records that cannot all be deleted at once, or not at all. */
class SweeperTest {
  private static final FieldSpec ID = new FieldSpec(1, "id", FieldType.Scalar.LONG, false);
  private static final FieldSpec UNTIL = new FieldSpec(2, "until", FieldType.Scalar.INSTANT, true);
  private static final FieldSpec PARENT = new FieldSpec(3, "parent", FieldType.Scalar.LONG, true);
  private static final TypeSpec NODE =
      new TypeSpec(
          "Node",
          List.of(ID, UNTIL, PARENT),
          List.of(1),
          false,
          Optional.of(new TypeSpec.Expiry(2, Duration.ZERO)),
          List.of(new TypeSpec.Relation(3, "Node", DeleteRule.RESTRICT)));
  private static final RecordType<DynamicRecord> TYPE = DynamicRecord.type(NODE);

  private final ManualTime time = ManualTime.standing();

  @Test
  void recordsBehindManyThatMustStayAreSweptInLaterTurns() {
    try (ModelDatabase database = ModelDatabase.open(Limits.DEFAULTS, time)) {
      RecordSpace space = space(database);
      save(space, 1, 25, true);
      save(space, 26, 27, false);
      time.advance(Duration.ofSeconds(1));
      Sweeper sweeper = new Sweeper(space, 1);

      assertThat(sweeper.turn(() -> true)).as("ten are tried").isEqualTo(new Swept(0, false));
      assertThat(sweeper.turn(() -> true)).as("ten more").isEqualTo(new Swept(0, false));
      assertThat(sweeper.turn(() -> true)).as("and five").isEqualTo(new Swept(1, false));
      assertThat(sweeper.turn(() -> false)).isEqualTo(new Swept(1, true));

      database.run(tx -> space.store(TYPE).delete(tx, 1_001L));
      assertThat(sweeper.turn(() -> false)).as("from the first on").isEqualTo(new Swept(1, true));
    }
  }

  @Test
  void transactionsThatAreTooLargeAreTriedAgainWithFewerRecords() {
    Limits small = Limits.DEFAULTS.withTransactionBytes(3_000);
    try (ModelDatabase database = ModelDatabase.open(small, time)) {
      RecordSpace space = space(database);
      save(space, 1, 50, false);
      time.advance(Duration.ofSeconds(1));
      assertThatThrownBy(
              () ->
                  database.<Integer, RuntimeException>transact(
                      tx -> space.store(TYPE).sweep(tx, 200)))
          .isInstanceOf(LimitExceededException.class);

      assertThat(new Sweeper(space, 200).turn(() -> false)).isEqualTo(new Swept(50, true));
    }
  }

  @Test
  void recordThatIsTooLargeToDeleteIsToldOfAndTheOthersAreSwept() {
    Limits roomy = Limits.DEFAULTS.withTransactionBytes(20_000);
    TypeSpec cascading =
        new TypeSpec(
            NODE.name(),
            NODE.fields(),
            NODE.primaryKey(),
            false,
            NODE.expiry(),
            List.of(new TypeSpec.Relation(3, "Node", DeleteRule.CASCADE)));
    RecordType<DynamicRecord> type = DynamicRecord.type(cascading);
    try (ModelDatabase database = ModelDatabase.open(roomy, time)) {
      RecordSpace space =
          RecordSpace.open(database, Schema.of(1, List.of(type), List.of()), Subspace.of("nodes"));
      RecordStore<DynamicRecord> nodes = space.store(type);
      for (long id = 1; id <= 3; id++) {
        DynamicRecord node =
            DynamicRecord.of(cascading).with("id", id).with("until", time.instant().plusNanos(id));
        database.run(tx -> nodes.save(tx, node));
      }
      for (long child = 1_001; child <= 1_500; child++) {
        DynamicRecord node = DynamicRecord.of(cascading).with("id", child).with("parent", 2L);
        database.run(tx -> nodes.save(tx, node));
      }
      time.advance(Duration.ofSeconds(1));

      Sweeper sweeper = new Sweeper(space, 10);
      assertThatThrownBy(() -> sweeper.turn(() -> false))
          .isInstanceOf(LimitExceededException.class);

      assertThat(records(database))
          .as("the one that is too large, and what it takes along")
          .hasSize(501);
    }
  }

  @Test
  void damagedRecordIsToldOfAndTheOthersAreSwept() {
    try (ModelDatabase database = ModelDatabase.open(Limits.DEFAULTS, time)) {
      RecordSpace space = space(database);
      save(space, 1, 5, false);
      Key second = records(database).get(1).key();
      database.run(tx -> tx.set(second, new byte[] {(byte) 0xff, 1, 2}));
      time.advance(Duration.ofSeconds(1));

      Sweeper sweeper = new Sweeper(space, 10);
      assertThatThrownBy(() -> sweeper.turn(() -> false))
          .isInstanceOf(DamagedRecordException.class);

      assertThat(records(database)).extracting(KeyValue::key).containsExactly(second);
    }
  }

  @Test
  void recordThatOnlyAWrongEntrySaysHasExpiredIsKept() {
    try (ModelDatabase database = ModelDatabase.open(Limits.DEFAULTS, time)) {
      RecordSpace space = space(database);
      save(space, 1, 1, false);
      List<KeyValue> old =
          database.read(tx -> tx.scan(Subspace.of("nodes").sub(2).prefixRange()).list());
      DynamicRecord later =
          DynamicRecord.of(NODE).with("id", 1L).with("until", time.instant().plusSeconds(3_600));
      database.run(tx -> space.store(TYPE).save(tx, later));
      database.run(tx -> old.forEach(row -> tx.set(row.key(), row.value())));
      save(space, 2, 2, false);
      time.advance(Duration.ofSeconds(1));

      assertThat(new Sweeper(space, 10).turn(() -> false)).isEqualTo(new Swept(1, true));
      assertThat(records(database)).hasSize(1);
      boolean there =
          database.<Boolean, RuntimeException>read(tx -> space.store(TYPE).exists(tx, 1L));
      assertThat(there).isTrue();
    }
  }

  private static List<KeyValue> records(ModelDatabase database) {
    return database.read(tx -> tx.scan(Subspace.of("nodes").sub(1).prefixRange()).list());
  }

  private static RecordSpace space(ModelDatabase database) {
    return RecordSpace.open(database, Schema.of(1, List.of(TYPE), List.of()), Subspace.of("nodes"));
  }

  /** Expired nodes, the first ones first; others refer to them if they are {@code needed}. */
  private void save(RecordSpace space, long from, long to, boolean needed) {
    RecordStore<DynamicRecord> nodes = space.store(TYPE);
    for (long id = from; id <= to; id++) {
      DynamicRecord node =
          DynamicRecord.of(NODE).with("id", id).with("until", time.instant().plusNanos(id));
      space.database().run(tx -> nodes.save(tx, node));
      if (needed) {
        DynamicRecord child = DynamicRecord.of(NODE).with("id", 1_000 + id).with("parent", id);
        space.database().run(tx -> nodes.save(tx, child));
      }
    }
  }
}
