package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.codec.RecordCodec;
import dev.tidemark.records.codec.RecordReader;
import dev.tidemark.records.codec.RecordWriter;
import dev.tidemark.records.maintenance.Scrubber;
import dev.tidemark.records.query.Field;
import dev.tidemark.records.query.Group;
import dev.tidemark.records.query.IndexRange;
import dev.tidemark.records.query.Query;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Records without a Java class. */
class DynamicRecordTest {
  private static final FieldType.Nested ADDRESS =
      new FieldType.Nested(
          "Address", List.of(new FieldSpec(1, "zip", FieldType.Scalar.STRING, true)));
  private static final FieldType.Constants COLOUR =
      new FieldType.Constants("Colour", List.of("RED", "BLUE"));
  private static final TypeSpec SPEC =
      TypeSpec.of(
          "Everything",
          List.of(
              new FieldSpec(1, "long", FieldType.Scalar.LONG, false),
              new FieldSpec(2, "bool", FieldType.Scalar.BOOLEAN, true),
              new FieldSpec(3, "char", FieldType.Scalar.CHAR, true),
              new FieldSpec(4, "float", FieldType.Scalar.FLOAT, true),
              new FieldSpec(5, "double", FieldType.Scalar.DOUBLE, true),
              new FieldSpec(6, "string", FieldType.Scalar.STRING, true),
              new FieldSpec(7, "bytes", FieldType.Scalar.BYTES, true),
              new FieldSpec(8, "uuid", FieldType.Scalar.UUID, true),
              new FieldSpec(9, "big", FieldType.Scalar.BIG_INTEGER, true),
              new FieldSpec(10, "decimal", FieldType.Scalar.DECIMAL, true),
              new FieldSpec(11, "instant", FieldType.Scalar.INSTANT, true),
              new FieldSpec(12, "date", FieldType.Scalar.DATE, true),
              new FieldSpec(13, "time", FieldType.Scalar.DATE_TIME, true),
              new FieldSpec(14, "duration", FieldType.Scalar.DURATION, true),
              new FieldSpec(15, "colour", COLOUR, true),
              new FieldSpec(16, "address", ADDRESS, true),
              new FieldSpec(17, "numbers", new FieldType.ListOf(FieldType.Scalar.INT), false),
              new FieldSpec(18, "words", new FieldType.SetOf(FieldType.Scalar.STRING), false),
              new FieldSpec(
                  19, "map", new FieldType.MapOf(FieldType.Scalar.STRING, ADDRESS), false),
              new FieldSpec(20, "colours", new FieldType.ListOf(COLOUR), false)),
          List.of(1));

  @Test
  void storeOfAnotherObjectForTheSameTypeIsRefusedWithWhatToUse() {
    Schema schema = Schema.of(1, List.of(DynamicRecord.type(SPEC)), List.of());
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory()) {
      RecordSpace space = RecordSpace.open(database, schema, Subspace.of("dynamic"));

      assertThatThrownBy(() -> space.store(DynamicRecord.type(SPEC)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("another object")
          .hasMessageContaining("schema().type(\"Everything\")");
    }
  }

  @Test
  void everyTypeOfFieldSurvivesBytes() {
    DynamicRecord address = DynamicRecord.of(ADDRESS).with("zip", "1");
    DynamicRecord record =
        DynamicRecord.of(SPEC)
            .with("long", Long.MIN_VALUE)
            .with("bool", true)
            .with("char", 'ö')
            .with("float", -0.0f)
            .with("double", Double.NaN)
            .with("string", "a\0é\ud83d\ude00")
            .with("bytes", new byte[] {0, -1})
            .with("uuid", new UUID(1, -1))
            .with("big", BigInteger.TEN.pow(40).negate())
            .with("decimal", new BigDecimal("1.500"))
            .with("instant", Instant.EPOCH.minusNanos(1))
            .with("date", LocalDate.of(-1, 1, 1))
            .with("time", LocalDateTime.of(1960, 1, 2, 3, 4, 5, 6))
            .with("duration", Duration.ofNanos(-1))
            .with("colour", "BLUE")
            .with("address", address)
            .with("numbers", List.of(1, -2, 3))
            .with("words", Set.of("x"))
            .with("map", Map.of("home", address))
            .with("colours", List.of("RED", "BLUE", "RED"));

    assertThat(reread(record)).isEqualTo(record);
    assertThat(reread(record).get("decimal")).contains(new BigDecimal("1.500"));
  }

  @Test
  void fieldsThatAreAbsentStayAbsentAndCollectionsEmpty() {
    DynamicRecord record = reread(DynamicRecord.of(SPEC).with("long", 0L));

    assertThat(record.get("long")).contains(0L);
    assertThat(record.get("string")).isEmpty();
    assertThat(record.get("numbers")).contains(List.of());
    assertThat(record.get("map")).contains(Map.of());
  }

  @Test
  void wrongFieldOrTypeIsNamed() {
    DynamicRecord record = DynamicRecord.of(SPEC);

    assertThatThrownBy(() -> record.with("nothing", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'nothing'")
        .hasMessageContaining("decimal");
    assertThatThrownBy(() -> record.with("long", "1"))
        .hasMessageContaining("Everything.long")
        .hasMessageContaining("java.lang.String");
    assertThatThrownBy(() -> record.with("colour", "GREEN")).hasMessageContaining("GREEN");
    assertThatThrownBy(() -> record.with("numbers", List.of("x")))
        .hasMessageContaining("Everything.numbers");
  }

  @Test
  void valuesThatARecordGivesCannotBeChanged() {
    byte[] bytes = {1, 2};
    DynamicRecord record =
        DynamicRecord.of(SPEC)
            .with("long", 1L)
            .with("bytes", bytes)
            .with("words", Set.of("a"))
            .with("numbers", List.of(1))
            .with("map", Map.of("home", DynamicRecord.of(ADDRESS)));
    for (DynamicRecord each : List.of(record, reread(record))) {
      Set<?> words = (Set<?>) each.get("words").orElseThrow();
      Map<?, ?> map = (Map<?, ?>) each.get("map").orElseThrow();
      List<?> numbers = (List<?>) each.get("numbers").orElseThrow();

      assertThatThrownBy(words::clear).isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(map::clear).isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(numbers::clear).isInstanceOf(UnsupportedOperationException.class);
      ((byte[]) each.get("bytes").orElseThrow())[0] = 9;
      assertThat((byte[]) each.get("bytes").orElseThrow()).isEqualTo(bytes);
    }
  }

  @Test
  void nullInACollectionIsRefusedWithTheNameOfTheField() {
    DynamicRecord record = DynamicRecord.of(SPEC);

    assertThatThrownBy(() -> record.with("numbers", Arrays.asList(1, null)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Everything.numbers")
        .hasMessageContaining("null");
    assertThatThrownBy(() -> record.with("map", Collections.singletonMap("home", null)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Everything.map");
  }

  /** A nested record may be made with another version of its type. */
  @Test
  void constantThatTheTypeDoesNotHaveIsNotWritten() {
    FieldType.Nested newer =
        new FieldType.Nested(
            "Part",
            List.of(
                new FieldSpec(
                    1,
                    "colour",
                    new FieldType.Constants("Colour", List.of("RED", "GREEN")),
                    true)));
    FieldType.Nested older =
        new FieldType.Nested("Part", List.of(new FieldSpec(1, "colour", COLOUR, true)));
    TypeSpec spec =
        TypeSpec.of(
            "Thing",
            List.of(
                new FieldSpec(1, "id", FieldType.Scalar.LONG, false),
                new FieldSpec(2, "part", older, true)),
            List.of(1));
    DynamicRecord record =
        DynamicRecord.of(spec)
            .with("id", 1L)
            .with("part", DynamicRecord.of(newer).with("colour", "GREEN"));

    assertThatThrownBy(() -> DynamicRecord.type(spec).codec().write(record, new RecordWriter()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("GREEN")
        .hasMessageContaining("RED, BLUE");
  }

  /** Other writers of protobuf leave out a key or a value that is the default of its type. */
  @Test
  void mapEntryWithoutKeyOrValueHasTheDefaultsOfProtobuf() {
    RecordWriter entry = new RecordWriter();
    entry.bytes(19, new byte[0]);
    entry.sint(1, 5);
    DynamicRecord read =
        DynamicRecord.type(SPEC).codec().read(new RecordReader(entry.toByteArray()));

    assertThat(read.get("map")).contains(Map.of("", DynamicRecord.of(ADDRESS)));
  }

  @Test
  void prefixIsAskedOfTextsAlone() {
    FieldSpec colour = new FieldSpec(2, "colour", COLOUR, true);
    TypeSpec spec =
        TypeSpec.of(
            "Thing",
            List.of(new FieldSpec(1, "id", FieldType.Scalar.LONG, false), colour),
            List.of(1));
    RecordType<DynamicRecord> type = DynamicRecord.type(spec);
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory()) {
      RecordStore<DynamicRecord> things =
          RecordSpace.open(
                  database,
                  Schema.of(
                      1,
                      List.of(type),
                      List.of(index("by_colour", IndexKind.VALUE, ColumnSpec.of(2)))),
                  Subspace.of("things"))
              .store(type);
      database.run(
          tx -> things.save(tx, DynamicRecord.of(spec).with("id", 1L).with("colour", "RED")));

      assertThatThrownBy(
              () ->
                  database.read(
                      tx ->
                          things
                              .scanIndex(tx, "by_colour", IndexRange.of().startingWith("RED"))
                              .toList()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'colour'")
          .hasMessageContaining("by_colour");
    }
  }

  @Test
  void truncatedBytesAreAnErrorAndNotHalfARecord() {
    RecordCodec<DynamicRecord> codec = DynamicRecord.type(SPEC).codec();
    RecordWriter out = new RecordWriter();
    codec.write(DynamicRecord.of(SPEC).with("long", 5L).with("string", "abcdef"), out);
    byte[] bytes = out.toByteArray();
    for (int length = 1; length < bytes.length; length++) {
      byte[] part = Arrays.copyOf(bytes, length);
      if (length != 2) {
        assertThatThrownBy(() -> codec.read(new RecordReader(part)))
            .as("%s bytes", part.length)
            .isInstanceOf(DamagedRecordException.class);
      }
    }
  }

  /** What a save puts into indexes is what every later read sees. */
  @Test
  void saveFillsInWhatAReadAnswersForAbsentFields() {
    FieldType.Constants levels = new FieldType.Constants("Level", List.of("BASIC", "GOLD"));
    FieldSpec grade = new FieldSpec(1, "grade", levels, true, Optional.of("GOLD"));
    FieldType.Nested part = new FieldType.Nested("Part", List.of(grade));
    TypeSpec spec =
        TypeSpec.of(
            "Thing",
            List.of(
                new FieldSpec(1, "id", FieldType.Scalar.LONG, false),
                new FieldSpec(2, "level", levels, true, Optional.of("BASIC")),
                new FieldSpec(3, "size", FieldType.Scalar.INT, false),
                new FieldSpec(4, "made", FieldType.Scalar.INSTANT, true, Optional.of("now")),
                new FieldSpec(5, "part", part, true),
                new FieldSpec(6, "parts", new FieldType.ListOf(part), false)),
            List.of(1));
    RecordType<DynamicRecord> type = DynamicRecord.type(spec);
    List<IndexSpec> indexes =
        List.of(
            index("by_level", IndexKind.VALUE, ColumnSpec.of(2)),
            index("by_size", IndexKind.VALUE, ColumnSpec.of(3)),
            index("count", IndexKind.COUNT, ColumnSpec.of(2), ColumnSpec.of(3)),
            index("by_grade", IndexKind.VALUE, ColumnSpec.parse(spec, "part.grade")),
            index("by_grades", IndexKind.VALUE, ColumnSpec.parse(spec, "parts[].grade")));
    Field<DynamicRecord, String> level = Field.of(spec, 2, record -> (String) record.value(2));
    Field<DynamicRecord, Integer> size = Field.of(spec, 3, record -> (Integer) record.value(3));
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory()) {
      RecordSpace space =
          RecordSpace.open(database, Schema.of(1, List.of(type), indexes), Subspace.of("things"));
      RecordStore<DynamicRecord> things = space.store(type);
      DynamicRecord bare =
          DynamicRecord.of(spec)
              .with("id", 1L)
              .with("part", DynamicRecord.of(part))
              .with("parts", List.of(DynamicRecord.of(part)));
      DynamicRecord saved = database.transact(tx -> things.save(tx, bare));

      assertThat(saved.get("level")).contains("BASIC");
      assertThat(saved.get("size")).contains(0);
      assertThat(saved.get("made")).isPresent();
      assertThat(loaded(things, tx -> things.scan(tx).toList())).containsExactly(saved);

      database.run(tx -> things.save(tx, saved.without("level").without("size")));
      Query<DynamicRecord> basic = things.query().where(level.eq("BASIC")).using("by_level");
      Query<DynamicRecord> small = things.query().where(size.eq(0)).using("by_size");
      assertThat(loaded(things, tx -> things.scan(tx).toList())).containsExactly(saved);
      assertThat(loaded(things, basic::list)).containsExactly(saved);
      assertThat(loaded(things, small::list)).containsExactly(saved);
      List<Group> groups = database.read(tx -> things.groups(tx, "count").toList());
      assertThat(groups).containsExactly(new Group(List.of("BASIC", 0), 1L));
      assertThat(Scrubber.of(space, o -> o).run().wrong()).isZero();

      database.run(tx -> things.delete(tx, 1L));
      List<KeyValue> entries =
          database.read(tx -> tx.scan(Subspace.of("things").sub(2).prefixRange()).list());
      assertThat(entries).isEmpty();
    }
  }

  @Test
  void keyThatIsAbsentIsRefusedAndNotZero() {
    RecordType<DynamicRecord> type = DynamicRecord.type(SPEC);
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory()) {
      RecordStore<DynamicRecord> all =
          RecordSpace.open(
                  database, Schema.of(1, List.of(type), List.of()), Subspace.of("everything"))
              .store(type);

      assertThatThrownBy(() -> database.run(tx -> all.save(tx, DynamicRecord.of(SPEC))))
          .isInstanceOf(SchemaException.class)
          .hasMessageContaining("'long'");
    }
  }

  private static IndexSpec index(String name, IndexKind kind, ColumnSpec... columns) {
    return IndexSpec.of(name, "Thing", kind, List.of(columns));
  }

  private static List<DynamicRecord> loaded(
      RecordStore<DynamicRecord> things, Function<ReadTransaction, List<DynamicRecord>> read) {
    return things.space().database().read(read::apply);
  }

  private static DynamicRecord reread(DynamicRecord record) {
    RecordCodec<DynamicRecord> codec = DynamicRecord.type(SPEC).codec();
    RecordWriter out = new RecordWriter();
    codec.write(record, out);
    return codec.read(new RecordReader(out.toByteArray()));
  }
}
