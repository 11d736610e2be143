package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.maintenance.OnlineIndexer;
import dev.tidemark.records.maintenance.SchemaDiff;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.DeleteRule;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Indexes that expiry and relationships have without saying so, from one schema to the next. */
class ImpliedIndexTest {
  private static final Subspace ROOT = Subspace.of("things");
  private static final int MORE_THAN_ARE_BUILT_AT_ONCE = 250;
  private static final FieldSpec ID = new FieldSpec(1, "id", FieldType.Scalar.LONG, false);
  private static final Optional<TypeSpec.Expiry> EXPIRY =
      Optional.of(new TypeSpec.Expiry(2, Duration.ofMinutes(1)));
  private static final IndexSpec BY_TIME =
      IndexSpec.of("by_time", "Thing", IndexKind.VALUE, List.of(ColumnSpec.of(2)));

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void renameOfTheFieldKeepsTheIndexAsItIs() {
    fill(open(schema(1, "seen", EXPIRY)));
    List<KeyValue> before = entries();
    RecordStore<DynamicRecord> now = open(schema(2, "lastSeen", EXPIRY));

    assertThat(entries()).hasSize(MORE_THAN_ARE_BUILT_AT_ONCE).isEqualTo(before);
    assertThat(states(now)).containsExactly(IndexState.READABLE);
    int swept = database.<Integer, RuntimeException>transact(tx -> now.sweep(tx, 100));
    assertThat(swept).isEqualTo(100);
  }

  @Test
  void renameOfARelationshipKeepsTheIndexAsItIs() {
    Schema first = family(1, "parent", DeleteRule.RESTRICT);
    open(first);
    Schema second = family(2, "mother", DeleteRule.RESTRICT);

    assertThat(SchemaDiff.between(first, second).changes())
        .extracting(SchemaDiff.Change::kind)
        .containsExactly(SchemaDiff.Kind.FIELD_RENAMED);
    assertThat(states(open(second))).containsExactly(IndexState.READABLE);
  }

  @Test
  void indexGoesAndComesBackWithTheExpiryAndIsNeverListed() {
    fill(open(schema(1, "seen", EXPIRY)));
    open(schema(2, "seen", Optional.empty()));
    assertThat(entries()).isEmpty();

    RecordStore<DynamicRecord> again = open(schema(3, "seen", EXPIRY));
    assertThat(states(again)).containsExactly(IndexState.DISABLED);
  }

  @Test
  void indexGoesWithADeleteRuleThatNeedsNone() {
    open(family(1, "parent", DeleteRule.CASCADE));

    assertThat(states(open(family(2, "parent", DeleteRule.NO_ACTION)))).isEmpty();
  }

  @Test
  void declaredIndexThatDoesTheSameTakesItsPlace() {
    open(schema(1, "seen", EXPIRY));
    RecordStore<DynamicRecord> now = open(schema(2, "seen", EXPIRY, BY_TIME.withSince(2)));

    assertThat(now.space().schema().indexes())
        .extracting(IndexSpec::name)
        .containsExactly("by_time");
  }

  @Test
  void impliedIndexServesUntilTheDeclaredOneIsBuilt() {
    fill(open(schema(1, "seen", EXPIRY)));
    RecordStore<DynamicRecord> now = open(schema(2, "seen", EXPIRY, BY_TIME.withSince(2)));
    assertThat(states(now)).containsExactly(IndexState.DISABLED);

    int swept = database.<Integer, RuntimeException>transact(tx -> now.sweep(tx, 100));
    assertThat(swept).isEqualTo(100);
    save(now, 1_000);
    RecordStore<DynamicRecord> again = open(schema(2, "seen", EXPIRY, BY_TIME.withSince(2)));
    swept = database.<Integer, RuntimeException>transact(tx -> again.sweep(tx, 1_000));
    assertThat(swept).as("what was left, and what was saved since").isEqualTo(151);
    assertThat(entries()).isEmpty();
  }

  @Test
  void impliedIndexGoesWhenTheDeclaredOneIsBuilt() {
    fill(open(schema(1, "seen", EXPIRY)));
    RecordStore<DynamicRecord> now = open(schema(2, "seen", EXPIRY, BY_TIME.withSince(2)));
    try (OnlineIndexer indexer = OnlineIndexer.of(now.space(), o -> o.withIndexes("by_time"))) {
      indexer.build();
    }

    assertThat(states(now)).containsExactly(IndexState.READABLE);
    assertThat(entries()).as("of one index").hasSize(MORE_THAN_ARE_BUILT_AT_ONCE);
    int swept = database.<Integer, RuntimeException>transact(tx -> now.sweep(tx, 1_000));
    assertThat(swept).isEqualTo(MORE_THAN_ARE_BUILT_AT_ONCE);
    assertThat(entries()).isEmpty();
  }

  private static Schema schema(
      int version, String name, Optional<TypeSpec.Expiry> expiry, IndexSpec... indexes) {
    FieldSpec time = new FieldSpec(2, name, FieldType.Scalar.INSTANT, true);
    TypeSpec spec = new TypeSpec("Thing", List.of(ID, time), List.of(1), false, expiry, List.of());
    return Schema.of(version, List.of(DynamicRecord.type(spec)), List.of(indexes));
  }

  private static Schema family(int version, String name, DeleteRule rule) {
    FieldSpec parent = new FieldSpec(2, name, FieldType.Scalar.LONG, true);
    TypeSpec spec =
        new TypeSpec(
            "Thing",
            List.of(ID, parent),
            List.of(1),
            false,
            Optional.empty(),
            List.of(new TypeSpec.Relation(2, "Thing", rule)));
    return Schema.of(version, List.of(DynamicRecord.type(spec)), List.of());
  }

  private void fill(RecordStore<DynamicRecord> store) {
    database.run(
        tx -> {
          for (long id = 0; id < MORE_THAN_ARE_BUILT_AT_ONCE; id++) {
            store.save(tx, thing(store, id));
          }
        });
  }

  private void save(RecordStore<DynamicRecord> store, long id) {
    database.run(tx -> store.save(tx, thing(store, id)));
  }

  private static DynamicRecord thing(RecordStore<DynamicRecord> store, long id) {
    return DynamicRecord.of(store.type().spec()).with("id", id).with("seen", Instant.EPOCH);
  }

  @SuppressWarnings("unchecked") // the schemas above have dynamic records
  private RecordStore<DynamicRecord> open(Schema schema) {
    return RecordSpace.open(database, schema, ROOT)
        .store((RecordType<DynamicRecord>) schema.types().getFirst());
  }

  private List<IndexState> states(RecordStore<?> store) {
    return List.copyOf(database.read(tx -> store.space().indexes().states(tx)).values());
  }

  private List<KeyValue> entries() {
    return database.read(tx -> tx.scan(ROOT.sub(2).prefixRange()).list());
  }
}
