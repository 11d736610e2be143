package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.maintenance.Migrations;
import dev.tidemark.records.maintenance.OnlineIndexer;
import dev.tidemark.records.maintenance.Scrubber;
import dev.tidemark.records.query.IndexRange;
import dev.tidemark.records.query.Table;
import dev.tidemark.records.schema.ChangeStreamSpec;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.FormerIndex;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import dev.tidemark.testkit.junit.SeedSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs of several versions of a schema on one store at the same time. */
class SideBySideTest {
  private static final Subspace ROOT = Subspace.of("things");
  private static final FieldSpec ID = new FieldSpec(1, "id", FieldType.Scalar.LONG, false);
  private static final FieldSpec NAME = new FieldSpec(2, "name", FieldType.Scalar.STRING, true);
  private static final FieldSpec SIZE = new FieldSpec(3, "size", FieldType.Scalar.INT, true);
  private static final FieldSpec LEVEL =
      new FieldSpec(4, "level", FieldType.Scalar.INT, true, Optional.of("5"));
  private static final IndexSpec BY_NAME = index("by_name", IndexKind.VALUE, 2);
  private static final IndexSpec BY_LEVEL = index("by_level", IndexKind.VALUE, 4).withSince(2);
  private static final IndexSpec LEVELS = index("levels", IndexKind.COUNT, 4).withSince(2);

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void olderProgramGoesOnAndKeepsWhatItDoesNotKnow() {
    Side old = open(schema(1, List.of(BY_NAME), ID, NAME, SIZE));
    Side now = open(schema(2, List.of(BY_NAME), ID, NAME, SIZE, LEVEL));
    now.save(1, "a", 9);

    old.save(1, "b");
    old.save(2, "c");

    assertThat(now.load(1)).isEqualTo("Thing[id=1, name=b, level=9]");
    assertThat(now.load(2)).isEqualTo("Thing[id=2, name=c, level=5]");
    assertThat(open(schema(1, List.of(BY_NAME), ID, NAME, SIZE)).load(1))
        .as("a program that starts with the older schema")
        .isEqualTo("Thing[id=1, name=b]");
  }

  @Test
  void olderProgramKeepsIndexesThatItDoesNotKnow() {
    Side old = open(schema(1, List.of(BY_NAME), ID, NAME));
    old.save(1, "a");
    Side now = open(schema(2, List.of(BY_NAME, BY_LEVEL, LEVELS.withSince(2)), ID, NAME, LEVEL));
    now.save(2, "b", 7);

    old.save(2, "c");
    old.save(3, "d");
    old.delete(1);

    assertThat(now.idsOfLevel(7)).containsExactly(2L);
    assertThat(now.idsOfLevel(5)).containsExactly(3L);
    assertThat(now.scrub()).isZero();
  }

  @Test
  void uniqueIndexOfANewerProgramHoldsForOlderOnesToo() {
    Side old = open(schema(1, List.of(), ID, NAME));
    open(schema(2, List.of(BY_NAME.withSince(2).asUnique(false)), ID, NAME));
    old.save(1, "a");

    assertThatThrownBy(() -> old.save(2, "a"))
        .isInstanceOf(UniquenessException.class)
        .hasMessageContaining("by_name");
  }

  @Test
  void olderProgramDoesNotReadIndexesThatAreGoneOrAnotherWay() {
    IndexSpec bySize = index("by_size", IndexKind.VALUE, 3);
    Side old = open(schema(1, List.of(BY_NAME, bySize), ID, NAME, SIZE));
    Side now =
        open(
            schema(2, List.of(index("by_size", IndexKind.VALUE, 3, 2).withSince(2)), ID, NAME, SIZE)
                .withFormer(new FormerIndex("by_name", 2)));
    old.save(1, "a");

    Map<String, IndexState> states = database.read(tx -> old.space.indexes().states(tx));
    assertThat(states)
        .containsEntry("by_name", IndexState.DISABLED)
        .containsEntry("by_size", IndexState.DISABLED);
    Table named = database.read(tx -> old.space.sql(tx, "SELECT id FROM Thing WHERE name = 'a'"));
    assertThat(named.rows()).hasSize(1);
    assertThatThrownBy(
            () -> database.read(tx -> old.store.scanIndex(tx, "by_name", IndexRange.ALL).toList()))
        .isInstanceOf(IndexStateException.class);
    assertThat(now.scrub()).isZero();
  }

  @Test
  void storeThatWasMadeAnewWithAnOlderSchemaIsOpenedAgain() {
    Side now = open(schema(2, List.of(BY_NAME), ID, NAME));
    database.run(tx -> tx.clear(ROOT.prefixRange()));
    open(schema(1, List.of(BY_NAME), ID, NAME)).save(1, "a");

    assertThatThrownBy(() -> now.load(1))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("has schema version 1, and this program opened it with version 2")
        .hasMessageContaining("made anew or restored");
  }

  @Test
  void olderProgramChangesRecordsOnly() {
    Side old = open(schema(1, List.of(BY_NAME), ID, NAME));
    open(schema(2, List.of(BY_NAME), ID, NAME, LEVEL));

    assertThatThrownBy(() -> database.run(tx -> old.space.indexes().disable(tx, "by_name")))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("may read and write records");
    assertThatThrownBy(() -> old.space.changes().add(ChangeStreamSpec.of("all")))
        .isInstanceOf(SchemaException.class);
    assertThatThrownBy(
            () ->
                Migrations.of(old.space)
                    .transform("same", old.store.type(), record -> record)
                    .run())
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("migrations");
  }

  @Test
  void changesOfAnOlderProgramAreRecordedForStreamsOfANewerOne() {
    Side old = open(schema(1, List.of(), ID, NAME));
    Side now = open(schema(2, List.of(), ID, NAME, LEVEL).withStreams(ChangeStreamSpec.of("all")));
    now.save(1, "a", 3);
    old.save(1, "b");

    for (Side side : List.of(now, old)) {
      var found = ChangeCaptureTest.changes(side.space, "all");
      assertThat(found).hasSize(2);
      assertThat(found.get(0).newValues()).containsEntry("name", "a").containsEntry("level", 3);
      assertThat(found.get(1).newValues()).containsExactly(Map.entry("name", "b"));
    }
  }

  @Test
  void severalVersionsGoOnUntilTheNewestRefusesThem() {
    Side first = open(schema(1, List.of(), ID, NAME));
    Side second = open(schema(2, List.of(), ID, NAME, SIZE));
    Side third = open(schema(3, List.of(), ID, NAME, SIZE, LEVEL));
    first.save(1, "a");
    second.save(1, "b");
    assertThat(third.load(1)).isEqualTo("Thing[id=1, name=b, level=5]");
    assertThatThrownBy(() -> database.run(second.space::refuseOlderVersions))
        .isInstanceOf(SchemaException.class);

    database.run(third.space::refuseOlderVersions);

    assertThatThrownBy(() -> first.save(1, "c"))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("closed to older versions");
    assertThatThrownBy(() -> open(schema(2, List.of(), ID, NAME, SIZE)))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("[version-stale]");
    assertThat(third.load(1)).isEqualTo("Thing[id=1, name=b, level=5]");
  }

  @ParameterizedTest
  @MethodSource("changesThatStopOlderPrograms")
  void olderProgramIsRefusedWithAReason(String reason, Schema from, Schema to) {
    RecordSpace old = RecordSpace.open(database, from, ROOT);
    RecordSpace.open(database, to, ROOT);

    assertThatThrownBy(() -> database.read(tx -> old.indexes().states(tx)))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining(reason);
    assertThatThrownBy(() -> RecordSpace.open(database, from, ROOT))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining(reason)
        .hasMessageContaining("[version-stale]");
  }

  static Stream<Arguments> changesThatStopOlderPrograms() {
    FieldSpec text = new FieldSpec(5, "text", FieldType.Scalar.STRING, false);
    FieldSpec wide = new FieldSpec(3, "size", FieldType.Scalar.LONG, true);
    FieldSpec other = new FieldSpec(4, "level", FieldType.Scalar.INT, true, Optional.of("6"));
    return Stream.of(
        Arguments.of("Thing.text is new", schema(1, List.of(), ID), schema(2, List.of(), ID, text)),
        Arguments.of(
            "Thing.text may be null",
            schema(1, List.of(), ID, text),
            schema(2, List.of(), ID, new FieldSpec(5, "text", FieldType.Scalar.STRING, true))),
        Arguments.of(
            "Thing.size was INT", schema(1, List.of(), ID, SIZE), schema(2, List.of(), ID, wide)),
        Arguments.of(
            "Thing.level has another default",
            schema(1, List.of(), ID, LEVEL),
            schema(2, List.of(), ID, other)),
        Arguments.of(
            "a constant that older programs do not know",
            schema(1, List.of(), ID, colour("RED")),
            schema(2, List.of(), ID, colour("RED", "BLUE"))),
        Arguments.of(
            "elements of a collection",
            schema(1, List.of(), ID, parts(NAME)),
            schema(2, List.of(), ID, parts(NAME, SIZE))),
        Arguments.of(
            "Thing.text is gone",
            schema(1, List.of(), ID, text),
            Schema.of(
                2,
                List.of(
                    DynamicRecord.type(
                        TypeSpec.of("Thing", List.of(ID), List.of(1)).withReserved(5))),
                List.of())),
        Arguments.of("keeps versions", versioned(1, false), versioned(2, true)));
  }

  private static FieldSpec colour(String... constants) {
    return new FieldSpec(6, "colour", new FieldType.Constants("Colour", List.of(constants)), true);
  }

  private static FieldSpec parts(FieldSpec... fields) {
    FieldType part = new FieldType.Nested("Part", List.of(fields));
    return new FieldSpec(7, "parts", new FieldType.ListOf(part), false);
  }

  private static Schema versioned(int version, boolean versions) {
    TypeSpec spec =
        new TypeSpec("Thing", List.of(ID), List.of(1), versions, Optional.empty(), List.of());
    return Schema.of(version, List.of(DynamicRecord.type(spec)), List.of());
  }

  /**
   * Programs of three versions save and delete at random while the store goes on from one version
   * to the next and indexes are built. A model has all fields; a program changes those it knows.
   */
  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 8)
  void recordsAndIndexesAreThoseOfAModelWhoeverWrites(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Schema> versions =
        List.of(
            schema(1, List.of(BY_NAME, index("sizes", IndexKind.SUM, 2, 3)), ID, NAME, SIZE),
            schema(
                2,
                List.of(BY_NAME, index("sizes", IndexKind.SUM, 2, 3), BY_LEVEL, LEVELS),
                ID,
                NAME,
                SIZE,
                LEVEL),
            schema(
                    3,
                    List.of(index("sizes", IndexKind.COUNT, 3).withSince(3), BY_LEVEL, LEVELS),
                    ID,
                    NAME,
                    SIZE,
                    LEVEL)
                .withFormer(new FormerIndex("by_name", 3)));
    List<Side> sides = new ArrayList<>();
    Map<Long, Map<String, Object>> model = new TreeMap<>();
    for (Schema version : versions) {
      sides.add(open(version));
      for (int i = 0; i < 60; i++) {
        step(random, sides.get(random.nextInt(sides.size())), model);
      }
      Side newest = sides.getLast();
      if (random.nextBoolean()) {
        for (IndexSpec index : version.indexes()) {
          newest.rebuild(index.name());
        }
      }
      for (Map.Entry<Long, Map<String, Object>> record : model.entrySet()) {
        for (Side side : sides) {
          assertThat(side.load(record.getKey())).isEqualTo(side.text(record.getValue()));
        }
      }
      assertThat(newest.scrub()).isZero();
    }
    for (int level = 0; level < 8; level++) {
      int wanted = level;
      List<Long> ids =
          model.entrySet().stream()
              .filter(record -> record.getValue().getOrDefault("level", 5).equals(wanted))
              .map(Map.Entry::getKey)
              .toList();
      assertThat(sides.getLast().idsOfLevel(level)).containsExactlyInAnyOrderElementsOf(ids);
    }
  }

  private void step(SplittableRandom random, Side side, Map<Long, Map<String, Object>> model) {
    long id = random.nextInt(20);
    if (random.nextInt(5) == 0) {
      side.delete(id);
      model.remove(id);
      return;
    }
    Map<String, Object> values = new TreeMap<>();
    values.put("id", id);
    if (random.nextInt(4) > 0) {
      values.put("name", "n" + random.nextInt(4));
    }
    if (random.nextInt(4) > 0) {
      values.put("size", random.nextInt(6));
    }
    if (side.has("level")) {
      values.put("level", random.nextInt(8));
    }
    side.save(values);
    Object unknown = model.getOrDefault(id, Map.of()).get("level");
    if (!side.has("level") && unknown != null) {
      values.put("level", unknown);
    }
    model.put(id, values);
  }

  private static IndexSpec index(String name, IndexKind kind, Integer... fields) {
    return IndexSpec.of(
        name, "Thing", kind, Stream.of(fields).map(field -> ColumnSpec.of(field)).toList());
  }

  private static Schema schema(int version, List<IndexSpec> indexes, FieldSpec... fields) {
    RecordType<DynamicRecord> type =
        DynamicRecord.type(TypeSpec.of("Thing", List.of(fields), List.of(1)));
    return Schema.of(version, List.of(type), indexes);
  }

  @SuppressWarnings("unchecked") // the schemas above have dynamic records
  private Side open(Schema schema) {
    RecordSpace space = RecordSpace.open(database, schema, ROOT);
    return new Side(space, space.store((RecordType<DynamicRecord>) schema.types().getFirst()));
  }

  /** A program. */
  private final class Side {
    private final RecordSpace space;
    private final RecordStore<DynamicRecord> store;

    private Side(RecordSpace space, RecordStore<DynamicRecord> store) {
      this.space = space;
      this.store = store;
    }

    boolean has(String field) {
      return store.type().spec().field(field).isPresent();
    }

    void save(long id, String name) {
      save(Map.of("id", id, "name", name));
    }

    void save(long id, String name, int level) {
      save(Map.of("id", id, "name", name, "level", level));
    }

    void save(Map<String, Object> values) {
      database.run(tx -> store.save(tx, record(values)));
    }

    private DynamicRecord record(Map<String, Object> values) {
      DynamicRecord record = DynamicRecord.of(store.type().spec());
      for (Map.Entry<String, Object> value : values.entrySet()) {
        record = has(value.getKey()) ? record.with(value.getKey(), value.getValue()) : record;
      }
      return record;
    }

    /** What this program reads of a record with {@code values}. */
    String text(Map<String, Object> values) {
      Map<String, Object> all = new TreeMap<>(values);
      all.putIfAbsent("level", 5);
      return record(all).toString();
    }

    void delete(long id) {
      database.run(tx -> store.delete(tx, id));
    }

    String load(long id) {
      Optional<DynamicRecord> found = database.read(tx -> store.load(tx, id));
      return found.orElseThrow().toString();
    }

    List<Object> idsOfLevel(int level) {
      return database.read(
          tx ->
              space.sql(tx, "SELECT id FROM Thing WHERE level = " + level).rows().stream()
                  .map(List::getFirst)
                  .toList());
    }

    void rebuild(String index) {
      database.run(tx -> space.indexes().disable(tx, index));
      try (OnlineIndexer indexer = OnlineIndexer.of(space, options -> options.withIndexes(index))) {
        var unused = indexer.build();
      }
    }

    long scrub() {
      return Scrubber.of(space, options -> options).run().wrong();
    }
  }
}
