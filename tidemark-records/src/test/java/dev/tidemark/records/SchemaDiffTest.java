package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.maintenance.BuildProgress.Certainty;
import dev.tidemark.records.maintenance.SchemaDiff;
import dev.tidemark.records.maintenance.SchemaDiff.Change;
import dev.tidemark.records.maintenance.SchemaDiff.Kind;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.FormerIndex;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a schema would change, before it does. */
class SchemaDiffTest {
  private static final Subspace ROOT = Subspace.of("things");
  private static final FieldSpec ID = new FieldSpec(1, "id", FieldType.Scalar.LONG, false);
  private static final FieldSpec NAME = new FieldSpec(2, "name", FieldType.Scalar.STRING, true);
  private static final FieldSpec SIZE = new FieldSpec(3, "size", FieldType.Scalar.INT, true);
  private static final IndexSpec BY_NAME =
      IndexSpec.of("by_name", "Thing", IndexKind.VALUE, List.of(ColumnSpec.of(2)));
  private static final IndexSpec BY_SIZE =
      IndexSpec.of("by_size", "Thing", IndexKind.VALUE, List.of(ColumnSpec.of(3)));
  private static final Schema FIRST = schema(1, List.of(BY_NAME), ID, NAME, SIZE);

  @Test
  void sameSchemaHasNoDifference() {
    SchemaDiff diff = SchemaDiff.between(FIRST, FIRST);

    assertThat(diff.changes()).isEmpty();
    assertThat(diff.isAccepted()).isTrue();
  }

  @Test
  void renamesAndNewFieldsCostNothing() {
    FieldSpec title = new FieldSpec(2, "title", FieldType.Scalar.STRING, true);
    FieldSpec wide = new FieldSpec(3, "size", FieldType.Scalar.LONG, true);
    FieldSpec colour =
        new FieldSpec(4, "colour", FieldType.Scalar.STRING, true, Optional.of("grey"));
    SchemaDiff diff =
        SchemaDiff.between(FIRST, schema(2, List.of(BY_NAME), ID, title, wide, colour));

    assertThat(diff.isAccepted()).isTrue();
    assertThat(diff.changes())
        .extracting(Change::kind)
        .containsExactly(Kind.FIELD_RENAMED, Kind.FIELD_WIDENED, Kind.FIELD_ADDED);
    assertThat(diff.changes()).allMatch(change -> change.build().isEmpty());
    assertThat(diff.lines().getFirst()).contains("Thing.title").contains("was name, number 2");
    assertThat(diff.lines().getLast()).contains("read as grey");
  }

  @Test
  void recordsThatLackAFieldAreSaidToReadAsTheyDo() {
    FieldSpec count = new FieldSpec(4, "count", FieldType.Scalar.LONG, false);
    FieldSpec maybe = new FieldSpec(4, "count", FieldType.Scalar.LONG, true);
    Schema counted = schema(2, List.of(BY_NAME), ID, NAME, SIZE, count);
    SchemaDiff added = SchemaDiff.between(FIRST, counted);
    SchemaDiff nullable =
        SchemaDiff.between(counted, schema(3, List.of(BY_NAME), ID, NAME, SIZE, maybe));

    assertThat(added.lines().getLast()).contains("stored records read as 0;");
    assertThat(nullable.isAccepted()).isTrue();
    assertThat(nullable.changes())
        .extracting(Change::kind)
        .containsExactly(Kind.DEFAULT_CHANGED, Kind.FIELD_WIDENED);
    assertThat(nullable.lines().getFirst()).contains("read as empty");
  }

  @Test
  void everyRefusalIsListedAtOnce() {
    FieldSpec text = new FieldSpec(3, "size", FieldType.Scalar.STRING, true);
    SchemaDiff diff = SchemaDiff.between(FIRST, schema(1, List.of(), ID, text));

    assertThat(diff.isAccepted()).isFalse();
    assertThat(diff.changes())
        .filteredOn(change -> change.kind() == Kind.REFUSED)
        .extracting(Change::subject)
        .containsExactly("version-not-raised", "field-removed", "type-changed", "index-removed");
  }

  @Test
  void movedFieldsAreRefusedAndNotTakenForRenamedOnes() {
    FieldSpec name = new FieldSpec(3, "name", FieldType.Scalar.STRING, true);
    FieldSpec size = new FieldSpec(2, "size", FieldType.Scalar.INT, true);
    SchemaDiff diff = SchemaDiff.between(FIRST, schema(2, List.of(BY_NAME), ID, size, name));

    assertThat(diff.changes())
        .extracting(Change::subject)
        .containsExactly("field-moved", "field-moved");
  }

  @Test
  void buildOfANewIndexIsPricedByTheRecordsOfTheStore() {
    try (Database database = EmbeddedDatabase.inMemory()) {
      RecordSpace space = filled(database, 5_000);
      List<KeyValue> before = contents(database);
      Schema wanted =
          schema(2, List.of(BY_SIZE), ID, NAME, SIZE).withFormer(new FormerIndex("by_name", 2));
      SchemaDiff diff = SchemaDiff.of(space, wanted);

      assertThat(diff.changes())
          .extracting(Change::kind)
          .containsExactly(Kind.INDEX_ADDED, Kind.INDEX_REMOVED);
      SchemaDiff.Build build = diff.changes().getFirst().build().orElseThrow();
      assertThat(build.certainty()).isEqualTo(Certainty.ESTIMATED);
      assertThat(build.records()).isBetween(2_000L, 12_000L);
      assertThat(build.atOnce()).isFalse();
      assertThat(diff.lines().getFirst()).contains("by_size").contains("records, 0:00:0");
      assertThat(diff.lines().getLast()).contains("by_name").contains("bytes, are erased");
      assertThat(contents(database)).as("nothing is written").isEqualTo(before);

      RecordSpace.open(database, wanted, ROOT);
      assertThat(SchemaDiff.of(RecordSpace.openStored(database, ROOT, o -> o), wanted).changes())
          .isEmpty();
    }
  }

  @Test
  void fewRecordsAreCountedAndTheirIndexIsBuiltAtOnce() {
    try (Database database = EmbeddedDatabase.inMemory()) {
      RecordSpace space = filled(database, 20);
      SchemaDiff diff =
          SchemaDiff.of(
              space, schema(2, List.of(BY_NAME.asUnique(false).withSince(2)), ID, NAME, SIZE));

      Change change = diff.changes().getFirst();
      assertThat(change.kind()).isEqualTo(Kind.INDEX_REDEFINED);
      assertThat(change.build().orElseThrow().records()).isEqualTo(20);
      assertThat(change.build().orElseThrow().certainty()).isEqualTo(Certainty.EXACT);
      assertThat(change.detail()).contains("built when the store is opened");
    }
  }

  @Test
  void schemaSurvivesAFile() {
    Schema read = Schema.parse(FIRST.toBytes());

    assertThat(read.toBytes()).isEqualTo(FIRST.toBytes());
    assertThatThrownBy(() -> Schema.parse(new byte[] {99, 1}))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("no description of a schema");
  }

  @Test
  void descriptionWithAnyByteChangedIsASchemaOrRefusedAsNone() {
    byte[] description = FIRST.toBytes();
    for (int at = 0; at < description.length; at++) {
      for (int change : new int[] {1, 2, 0x10, 0x80, 0xff}) {
        byte[] damaged = description.clone();
        damaged[at] ^= (byte) change;
        try {
          assertThat(Schema.parse(damaged)).isNotNull();
        } catch (SchemaException refused) {
          assertThat(refused).hasMessageMatching("(?s).+");
        }
      }
    }
  }

  private static Schema schema(int version, List<IndexSpec> indexes, FieldSpec... fields) {
    TypeSpec spec = TypeSpec.of("Thing", List.of(fields), List.of(1));
    return Schema.of(version, List.of(DynamicRecord.type(spec)), indexes);
  }

  @SuppressWarnings("unchecked") // the schemas above have dynamic records
  private static RecordSpace filled(Database database, int count) {
    RecordSpace space = RecordSpace.open(database, FIRST, ROOT);
    RecordStore<DynamicRecord> things =
        space.store((RecordType<DynamicRecord>) FIRST.types().getFirst());
    for (int from = 0; from < count; from += 1_000) {
      int first = from;
      database.run(
          tx -> {
            for (long id = first; id < Math.min(count, first + 1_000); id++) {
              things.save(
                  tx,
                  DynamicRecord.of(things.type().spec())
                      .with("id", id)
                      .with("name", "n" + id)
                      .with("size", (int) id));
            }
          });
    }
    return space;
  }

  private static List<KeyValue> contents(Database database) {
    return database.read(tx -> tx.scan(ROOT.prefixRange()).list());
  }
}
