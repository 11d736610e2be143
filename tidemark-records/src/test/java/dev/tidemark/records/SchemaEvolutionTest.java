package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.maintenance.OnlineIndexer;
import dev.tidemark.records.maintenance.SchemaDiff;
import dev.tidemark.records.maintenance.Scrubber;
import dev.tidemark.records.query.IndexEntry;
import dev.tidemark.records.query.IndexRange;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.FormerIndex;
import dev.tidemark.records.schema.IndexFilter;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** From one version of a schema to the next. */
class SchemaEvolutionTest {
  private static final Subspace ROOT = Subspace.of("things");
  private static final FieldSpec ID = new FieldSpec(1, "id", FieldType.Scalar.LONG, false);
  private static final FieldSpec NAME = new FieldSpec(2, "name", FieldType.Scalar.STRING, true);
  private static final FieldSpec SIZE = new FieldSpec(3, "size", FieldType.Scalar.INT, true);
  private static final FieldSpec COLOUR =
      new FieldSpec(4, "colour", new FieldType.Constants("Colour", List.of("RED", "BLUE")), true);
  private static final IndexSpec BY_NAME =
      IndexSpec.of("by_name", "Thing", IndexKind.VALUE, List.of(ColumnSpec.of(2)));
  private static final IndexSpec BY_SIZE =
      IndexSpec.of("by_size", "Thing", IndexKind.VALUE, List.of(ColumnSpec.of(3)));

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void sameSchemaOpensAgainAndWritesNothing() {
    open(schema(1, List.of(BY_NAME), ID, NAME, SIZE, COLOUR));
    List<KeyValue> before = contents();
    open(schema(1, List.of(BY_NAME), ID, NAME, SIZE, COLOUR));

    assertThat(contents()).isEqualTo(before);
  }

  @Test
  void anotherSchemaOfTheSameVersionIsRefused() {
    open(schema(1, List.of(), ID, NAME));

    assertThatThrownBy(() -> open(schema(1, List.of(), ID, NAME, SIZE)))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("version 1")
        .hasMessageContaining("Raise the version")
        .hasMessageContaining("[version-not-raised]");
  }

  @Test
  void partialIndexesOverNumbersAndBytesOfAnySizeStayTheSame() {
    FieldSpec price = new FieldSpec(5, "price", FieldType.Scalar.DECIMAL, true);
    FieldSpec count = new FieldSpec(6, "count", FieldType.Scalar.BIG_INTEGER, true);
    FieldSpec hash = new FieldSpec(7, "hash", FieldType.Scalar.BYTES, true);
    FieldSpec[] fields = {ID, NAME, price, count, hash};
    TypeSpec type = TypeSpec.of("Thing", List.of(fields), List.of(1));
    List<IndexSpec> indexes = new ArrayList<>();
    for (String filter :
        List.of(
            "price > 1.50",
            "price = 3",
            "count >= 7",
            "count < 12345678901234567890123",
            "hash = '01ff'")) {
      indexes.add(
          IndexSpec.of("by_name_" + indexes.size(), "Thing", IndexKind.VALUE, BY_NAME.columns())
              .withFilter(IndexFilter.parse(type, filter)));
    }
    open(schema(1, indexes, fields));
    open(schema(2, indexes, fields));

    assertThat(Schema.parse(schema(2, indexes, fields).toBytes()).indexes()).isEqualTo(indexes);
  }

  @Test
  void staleProgramIsRefusedAndWritesNothing() {
    open(schema(5, List.of(), ID, NAME, SIZE));
    List<KeyValue> before = contents();

    assertThatThrownBy(() -> open(schema(4, List.of(), ID, NAME)))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("5")
        .hasMessageContaining("4")
        .hasMessageContaining("[version-stale]");
    assertThat(contents()).isEqualTo(before);
  }

  @Test
  void programThatHasTheStoreOpenIsToldWhenAnotherOneTakesItFurther() {
    RecordStore<DynamicRecord> old = open(schema(1, List.of(), ID, NAME, SIZE));
    FieldSpec wider = new FieldSpec(3, "size", FieldType.Scalar.LONG, true);
    open(schema(2, List.of(), ID, NAME, wider));

    assertThatThrownBy(() -> save(old, 1, "a"))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("Thing.size was INT and is LONG")
        .hasMessageContaining("Open it again");
  }

  @Test
  void placeWithOtherDataIsNotTakenForAnEmptyStore() {
    database.run(tx -> tx.set(ROOT.pack("foreign"), new byte[0]));

    assertThatThrownBy(() -> open(schema(1, List.of(), ID)))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("there is data");
  }

  @Test
  void oldRecordsLoadWithANewFieldEmptyAndAreNotRewritten() {
    RecordStore<DynamicRecord> old = open(schema(1, List.of(), ID, NAME));
    save(old, 1, "a");
    List<KeyValue> records = records();
    RecordStore<DynamicRecord> now = open(schema(2, List.of(), ID, NAME, SIZE));

    DynamicRecord found = load(now, 1);
    assertThat(found.get("name")).contains("a");
    assertThat(found.get("size")).isEmpty();
    assertThat(records()).isEqualTo(records);
  }

  @Test
  void renamedFieldKeepsItsIndexReadableAndUntouched() {
    RecordStore<DynamicRecord> old = open(schema(1, List.of(BY_NAME), ID, NAME));
    save(old, 1, "a");
    List<KeyValue> before = entries();
    FieldSpec renamed = new FieldSpec(2, "title", FieldType.Scalar.STRING, true);
    RecordStore<DynamicRecord> now = open(schema(2, List.of(BY_NAME), ID, renamed));

    assertThat(entries()).isNotEmpty().isEqualTo(before);
    assertThat(load(now, 1).get("title")).contains("a");
  }

  /** As when a component is put in between: those behind it would read each other's values. */
  @Test
  void movedFieldIsNamedWithItsOldNumberAndItsNewOne() {
    FieldSpec first = new FieldSpec(2, "first", FieldType.Scalar.STRING, true);
    FieldSpec last = new FieldSpec(3, "last", FieldType.Scalar.STRING, true);
    FieldSpec middle = new FieldSpec(3, "middle", FieldType.Scalar.STRING, true);
    open(schema(1, List.of(), ID, first, last));

    assertThatThrownBy(() -> open(schema(2, List.of(), ID, first, middle, at(4, last))))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("Thing.last had number 3 and has 4")
        .hasMessageContaining("@Attribute(number = 3)");
    open(schema(2, List.of(), ID, first, at(4, middle), last));
  }

  @Test
  void nameOfARenamedFieldIsFreeOneVersionLater() {
    RecordStore<DynamicRecord> old = open(schema(1, List.of(), ID, NAME));
    save(old, 1, "a");
    FieldSpec title = new FieldSpec(2, "title", FieldType.Scalar.STRING, true);
    open(schema(2, List.of(), ID, title));
    RecordStore<DynamicRecord> now = open(schema(3, List.of(), ID, title, at(3, NAME)));

    assertThat(load(now, 1).get("title")).contains("a");
    assertThat(load(now, 1).get("name")).isEmpty();
  }

  @Test
  void newIndexOnFewRecordsIsBuiltAtOnce() {
    RecordStore<DynamicRecord> old = open(schema(1, List.of(), ID, NAME));
    save(old, 1, "a");
    save(old, 2, "b");
    open(schema(2, List.of(BY_NAME), ID, NAME));

    assertThat(entries()).hasSize(2);
  }

  @Test
  void newIndexOnManyRecordsStaysDisabledAndWritesKeepWorking() {
    RecordStore<DynamicRecord> old = open(schema(1, List.of(), ID, NAME));
    for (int i = 0; i <= 200; i++) {
      save(old, i, "n" + i);
    }
    RecordStore<DynamicRecord> now = open(schema(2, List.of(BY_NAME), ID, NAME));
    save(now, 500, "later");

    assertThat(entries()).isEmpty();
    assertThat(load(now, 500).get("name")).contains("later");
  }

  @Test
  void newUniqueIndexThatRecordsContradictStaysDisabledAndTheStoreOpens() {
    RecordStore<DynamicRecord> old = open(schema(1, List.of(), ID, NAME));
    save(old, 1, "same");
    save(old, 2, "same");
    RecordStore<DynamicRecord> now = open(schema(2, List.of(BY_NAME.asUnique(false)), ID, NAME));

    assertThat(entries()).isEmpty();
    assertThat(load(now, 2).get("name")).contains("same");
  }

  @Test
  void formerIndexIsCleared() {
    RecordStore<DynamicRecord> old = open(schema(1, List.of(BY_NAME), ID, NAME));
    save(old, 1, "a");
    Schema without =
        new Schema(2, List.of(type(ID, NAME)), List.of(), List.of(new FormerIndex("by_name", 2)));
    RecordSpace.open(database, without, ROOT);

    assertThat(entries()).isEmpty();
  }

  @Test
  void redefinedIndexIsBuiltAnew() {
    RecordStore<DynamicRecord> old = open(schema(1, List.of(BY_NAME), ID, NAME, SIZE));
    save(old, 1, "a");
    IndexSpec wider =
        IndexSpec.of(
                "by_name", "Thing", IndexKind.VALUE, List.of(ColumnSpec.of(2), ColumnSpec.of(3)))
            .withSince(2);
    open(schema(2, List.of(wider), ID, NAME, SIZE));

    assertThat(entries()).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void changeThatWouldBreakTheStoreIsRefusedByItsRule(String rule, Schema from, Schema to) {
    RecordSpace.open(database, from, ROOT);
    List<KeyValue> before = contents();

    assertThatThrownBy(() -> RecordSpace.open(database, to, ROOT))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("[" + rule + "]");
    assertThat(contents()).isEqualTo(before);
  }

  static Stream<Arguments> refusals() {
    Schema full = schema(1, List.of(BY_NAME), ID, NAME, SIZE, COLOUR);
    FieldSpec shrunk =
        new FieldSpec(4, "colour", new FieldType.Constants("Colour", List.of("RED")), true);
    FieldSpec longId = new FieldSpec(1, "id", FieldType.Scalar.INT, false);
    FieldSpec notNull = new FieldSpec(3, "size", FieldType.Scalar.INT, false);
    FieldSpec several =
        new FieldSpec(2, "name", new FieldType.ListOf(FieldType.Scalar.STRING), true);
    List<IndexSpec> byName = List.of(BY_NAME);
    TypeSpec otherKey = TypeSpec.of("Thing", List.of(ID, key(NAME), SIZE, COLOUR), List.of(1, 2));
    return Stream.of(
        Arguments.of("field-removed", full, schema(2, byName, ID, NAME, COLOUR)),
        Arguments.of(
            "reserved-removed",
            reserving(1, new Integer[] {3}, ID, NAME),
            reserving(2, new Integer[] {4}, ID, NAME)),
        Arguments.of(
            "reserved-removed",
            reserving(1, new Integer[] {3}, ID, NAME),
            schema(2, List.of(), ID, NAME, SIZE)),
        Arguments.of(
            "field-removed",
            schema(1, List.of(), ID, inside(2, at(1, NAME), at(2, SIZE))),
            schema(2, List.of(), ID, inside(2, at(1, NAME)))),
        Arguments.of("field-moved", full, schema(2, byName, ID, at(3, NAME), at(2, SIZE), COLOUR)),
        Arguments.of("field-moved", full, schema(2, byName, ID, NAME, at(3, COLOUR))),
        Arguments.of(
            "field-moved",
            schema(1, List.of(), ID, inside(2, at(1, NAME), at(2, SIZE))),
            schema(2, List.of(), ID, inside(2, at(2, NAME), at(1, SIZE)))),
        Arguments.of("type-changed", full, schema(2, byName, longId, NAME, SIZE, COLOUR)),
        Arguments.of("type-changed", full, schema(2, List.of(), ID, several, SIZE, COLOUR)),
        Arguments.of(
            "default-changed", full, schema(2, byName, ID, withDefault(NAME, "x"), SIZE, COLOUR)),
        Arguments.of(
            "default-changed",
            schema(1, List.of(BY_SIZE), ID, NAME, notNull),
            schema(2, List.of(BY_SIZE), ID, NAME, SIZE)),
        Arguments.of("versions-dropped", versioned(1, true), versioned(2, false)),
        Arguments.of(
            "former-index-reused",
            schema(2, List.of(), ID, NAME).withFormer(new FormerIndex("by_name", 2)),
            schema(3, byName, ID, NAME)),
        Arguments.of("enum-changed", full, schema(2, byName, ID, NAME, SIZE, shrunk)),
        Arguments.of("null-forbidden", full, schema(2, byName, ID, NAME, notNull, COLOUR)),
        Arguments.of("index-removed", full, schema(2, List.of(), ID, NAME, SIZE, COLOUR)),
        Arguments.of(
            "index-changed",
            full,
            schema(2, List.of(BY_NAME.asUnique(false)), ID, NAME, SIZE, COLOUR)),
        Arguments.of(
            "index-since", full, schema(2, List.of(BY_NAME.withSince(3)), ID, NAME, SIZE, COLOUR)),
        Arguments.of(
            "primary-key-changed",
            schema(1, List.of(), ID, key(NAME), SIZE, COLOUR),
            Schema.of(2, List.of(DynamicRecord.type(otherKey)), List.of())),
        Arguments.of(
            "type-removed",
            full,
            Schema.of(
                2,
                List.of(DynamicRecord.type(TypeSpec.of("Other", List.of(ID), List.of(1)))),
                List.of())));
  }

  private static FieldSpec at(int number, FieldSpec field) {
    return new FieldSpec(number, field.name(), field.type(), field.nullable());
  }

  /** A list of records with {@code fields}. */
  private static FieldSpec inside(int number, FieldSpec... fields) {
    FieldType part = new FieldType.Nested("Part", List.of(fields));
    return new FieldSpec(number, "parts", new FieldType.ListOf(part), false);
  }

  private static FieldSpec withDefault(FieldSpec field, String text) {
    return new FieldSpec(
        field.number(), field.name(), field.type(), field.nullable(), Optional.of(text));
  }

  private static Schema versioned(int version, boolean versions) {
    TypeSpec spec =
        new TypeSpec("Thing", List.of(ID), List.of(1), versions, Optional.empty(), List.of());
    return Schema.of(version, List.of(DynamicRecord.type(spec)), List.of());
  }

  @Test
  void allThatIsWrongIsSaidAtOnce() {
    open(schema(1, List.of(BY_NAME), ID, NAME, SIZE));

    assertThatThrownBy(() -> open(schema(2, List.of(), ID, SIZE)))
        .hasMessageContaining("[field-removed]")
        .hasMessageContaining("[index-removed]");
  }

  @Test
  void changedDefaultIsAcceptedWhereNoIndexUsesItOrTheIndexIsBuiltAnew() {
    RecordStore<DynamicRecord> first = open(schema(1, List.of(BY_NAME), ID, NAME, SIZE));
    database.run(tx -> first.save(tx, DynamicRecord.of(first.type().spec()).with("id", 1L)));
    FieldSpec size = withDefault(SIZE, "7");
    open(schema(2, List.of(BY_NAME), ID, NAME, size));
    FieldSpec name = withDefault(NAME, "nobody");
    RecordStore<DynamicRecord> now = open(schema(3, List.of(BY_NAME.withSince(3)), ID, name, size));

    DynamicRecord found = load(now, 1);
    assertThat(found.get("size")).contains(7);
    assertThat(found.get("name")).contains("nobody");
    List<IndexEntry> entries =
        database.read(tx -> now.scanIndex(tx, "by_name", IndexRange.ALL).toList());
    assertThat(entries.getFirst().columns()).containsExactly("nobody");
  }

  /** A tool builds the same entries as the program, also of records that lack a field. */
  @Test
  void fieldThatIsNeverNullIsZeroInRecordsThatLackIt() {
    save(open(schema(1, List.of(), ID, NAME)), 1, "a");
    FieldSpec size = new FieldSpec(3, "size", FieldType.Scalar.INT, false);

    assertThat(load(open(schema(2, List.of(), ID, NAME, size)), 1).get("size")).contains(0);
  }

  @Test
  void fieldMayBecomeNullableWhereRecordsThatLackItReadAsBefore() {
    save(open(schema(1, List.of(), ID, NAME)), 1, "a");
    FieldSpec notNull = new FieldSpec(3, "size", FieldType.Scalar.INT, false);
    FieldSpec wider = new FieldSpec(3, "size", FieldType.Scalar.LONG, true, Optional.of("0"));
    open(schema(2, List.of(BY_SIZE.withSince(2)), ID, NAME, notNull));
    open(schema(3, List.of(BY_SIZE.withSince(2)), ID, NAME, wider));
    FieldSpec nullable = new FieldSpec(3, "size", FieldType.Scalar.LONG, true);
    RecordStore<DynamicRecord> now =
        open(schema(4, List.of(BY_SIZE.withSince(4)), ID, NAME, nullable));

    assertThat(load(now, 1).get("size")).isEmpty();
    assertThat(Scrubber.of(now.space(), o -> o).run().wrong()).isZero();
  }

  @Test
  void formerIndexComesBackWhenItIsBuiltAnew() {
    open(schema(2, List.of(), ID, NAME).withFormer(new FormerIndex("by_name", 2)));
    RecordStore<DynamicRecord> now = open(schema(3, List.of(BY_NAME.withSince(3)), ID, NAME));

    assertThat(state(now.space())).isEqualTo(IndexState.READABLE);
  }

  @Test
  void indexThatNeedNotBeUniqueAnyMoreForgetsItsViolations() {
    RecordStore<DynamicRecord> old = open(schema(1, List.of(), ID, NAME));
    save(old, 1, "a");
    save(old, 2, "a");
    IndexSpec unique = BY_NAME.withSince(2).asUnique(false);
    RecordSpace space = open(schema(2, List.of(unique), ID, NAME)).space();
    try (OnlineIndexer indexer = OnlineIndexer.of(space, o -> o.withIndexes("by_name"))) {
      indexer.build();
    }
    assertThat(state(space)).isEqualTo(IndexState.READABLE_UNIQUE_PENDING);
    List<KeyValue> entries = entries();

    RecordStore<DynamicRecord> now = open(schema(3, List.of(BY_NAME.withSince(2)), ID, NAME));
    assertThat(state(now.space())).isEqualTo(IndexState.READABLE);
    List<KeyValue> violations = database.read(tx -> tx.scan(ROOT.sub(5).prefixRange()).list());
    assertThat(violations).isEmpty();
    assertThat(entries()).as("it is not built anew").hasSize(2).isEqualTo(entries);
    save(now, 3, "a");
  }

  @Test
  void widerNumberAndMoreConstantsAreAccepted() {
    RecordStore<DynamicRecord> old = open(schema(1, List.of(), ID, NAME, SIZE, COLOUR));
    database.run(tx -> old.save(tx, record(old, 1, "a").with("size", 7).with("colour", "BLUE")));
    FieldSpec wider = new FieldSpec(3, "size", FieldType.Scalar.LONG, true);
    FieldSpec more =
        new FieldSpec(
            4, "colour", new FieldType.Constants("Colour", List.of("RED", "BLUE", "GREEN")), true);
    RecordStore<DynamicRecord> now = open(schema(2, List.of(), ID, NAME, wider, more));

    assertThat(load(now, 1).get("size")).contains(7L);
    assertThat(load(now, 1).get("colour")).contains("BLUE");
  }

  @Test
  void fieldWhoseNumberIsReservedCanBeRemovedAndItsValuesStayUnread() {
    RecordStore<DynamicRecord> before = open(schema(1, List.of(BY_NAME), ID, NAME, SIZE));
    database.run(tx -> before.save(tx, record(before, 1, "a").with("size", 7)));
    List<KeyValue> stored = records();

    RecordStore<DynamicRecord> now =
        open(
            Schema.of(
                2,
                List.of(
                    DynamicRecord.type(
                        TypeSpec.of("Thing", List.of(ID, NAME), List.of(1)).withReserved(3))),
                List.of(BY_NAME)));

    assertThat(records()).isEqualTo(stored);
    assertThat(load(now, 1).toString()).isEqualTo("Thing[id=1, name=a]");
    save(now, 1, "b");
    RecordSpace tool = RecordSpace.openStored(database, ROOT, options -> options);
    assertThat(tool.schema().types().getFirst().spec().reserved()).containsExactly(3);
    assertThat(load(before, 1).toString())
        .as("an older program still has the value")
        .isEqualTo("Thing[id=1, name=b, size=7]");
  }

  @Test
  void fieldOfARecordInAListCanBeRemovedToo() {
    FieldType part = new FieldType.Nested("Part", List.of(at(1, NAME)), List.of(2));
    FieldSpec smaller = new FieldSpec(2, "parts", new FieldType.ListOf(part), false);
    open(schema(1, List.of(), ID, inside(2, at(1, NAME), at(2, SIZE))));
    Schema wanted = schema(2, List.of(), ID, smaller);

    assertThat(
            SchemaDiff.between(
                    schema(1, List.of(), ID, inside(2, at(1, NAME), at(2, SIZE))), wanted)
                .lines())
        .anyMatch(line -> line.startsWith("FIELD_REMOVED") && line.contains("Thing.parts.size"));
    open(wanted);
    assertThat(Schema.parse(wanted.toBytes()).types().getFirst().spec().fields().get(1))
        .isEqualTo(smaller);
  }

  @Test
  void reservedNumberIsNoFieldsNumber() {
    assertThatThrownBy(() -> reserving(1, new Integer[] {3}, ID, NAME, SIZE))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("Thing.size has number 3, which is reserved");
  }

  @Test
  void toolOpensAStoreFromWhatIsStoredInIt() {
    RecordStore<DynamicRecord> store = open(schema(3, List.of(BY_NAME), ID, NAME, SIZE, COLOUR));
    save(store, 1, "a");

    RecordSpace found = RecordSpace.openStored(database, ROOT, options -> options);
    assertThat(found.schema().version()).isEqualTo(3);
    assertThat(found.schema().indexes()).containsExactly(BY_NAME);
    @SuppressWarnings("unchecked") // stored schemas have dynamic records
    RecordType<DynamicRecord> type = (RecordType<DynamicRecord>) found.schema().types().getFirst();
    assertThat(load(found.store(type), 1).toString()).isEqualTo("Thing[id=1, name=a]");
    assertThatThrownBy(
            () -> RecordSpace.openStored(database, Subspace.of("nowhere"), options -> options))
        .hasMessageContaining("no store");
  }

  private static FieldSpec key(FieldSpec field) {
    return new FieldSpec(field.number(), field.name(), field.type(), false);
  }

  private static RecordType<DynamicRecord> type(FieldSpec... fields) {
    return DynamicRecord.type(TypeSpec.of("Thing", List.of(fields), List.of(1)));
  }

  private static Schema schema(int version, List<IndexSpec> indexes, FieldSpec... fields) {
    return Schema.of(version, List.of(type(fields)), indexes);
  }

  private static Schema reserving(int version, Integer[] numbers, FieldSpec... fields) {
    TypeSpec spec = TypeSpec.of("Thing", List.of(fields), List.of(1)).withReserved(numbers);
    return Schema.of(version, List.of(DynamicRecord.type(spec)), List.of());
  }

  @SuppressWarnings("unchecked") // the schemas above have dynamic records
  private RecordStore<DynamicRecord> open(Schema schema) {
    RecordSpace space = RecordSpace.open(database, schema, ROOT);
    return space.store((RecordType<DynamicRecord>) schema.types().getFirst());
  }

  private static DynamicRecord record(RecordStore<DynamicRecord> store, long id, String name) {
    return DynamicRecord.of(store.type().spec())
        .with("id", id)
        .with(store.type().spec().fields().get(1).name(), name);
  }

  private void save(RecordStore<DynamicRecord> store, long id, String name) {
    database.run(tx -> store.save(tx, record(store, id, name)));
  }

  private DynamicRecord load(RecordStore<DynamicRecord> store, long id) {
    Optional<DynamicRecord> found = database.read(tx -> store.load(tx, id));
    return found.orElseThrow();
  }

  private IndexState state(RecordSpace space) {
    return database.read(tx -> space.indexes().state(tx, "by_name"));
  }

  private List<KeyValue> contents() {
    return database.read(tx -> tx.scan(ROOT.prefixRange()).list());
  }

  private List<KeyValue> records() {
    return database.read(tx -> tx.scan(ROOT.sub(1).prefixRange()).list());
  }

  private List<KeyValue> entries() {
    return new ArrayList<>(
        database.<List<KeyValue>, RuntimeException>read(
            tx -> tx.scan(ROOT.sub(2).prefixRange()).list()));
  }
}
