package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.codec.RecordCodec;
import dev.tidemark.records.codec.RecordReader;
import dev.tidemark.records.codec.RecordWriter;
import dev.tidemark.records.maintenance.BuildProgress;
import dev.tidemark.records.maintenance.Finding;
import dev.tidemark.records.maintenance.MigrationStatus;
import dev.tidemark.records.maintenance.Migrations;
import dev.tidemark.records.maintenance.OnlineIndexer;
import dev.tidemark.records.maintenance.ScrubReport;
import dev.tidemark.records.maintenance.Scrubber;
import dev.tidemark.records.maintenance.UnfitRecord;
import dev.tidemark.records.query.BulkOptions;
import dev.tidemark.records.query.BulkProgress;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Records that an index or their class cannot take can be removed, and are reported. */
@Timeout(60)
class UnfitRecordsTest {
  private static final String BY_CITY = "person_by_city";
  private static final String BY_AGE = "person_by_age";
  private static final String COUNT = "person_count_by_city";
  private static final String LONG_CITY = "x".repeat(11_000);
  private static final Subspace ROOT = Subspace.of("unfit");

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();
  private final RecordSpace space = open(Person.TYPE);
  private final RecordStore<Person> people = space.store(Person.TYPE);

  /** Refuses people in the city of "Nowhere", as a constructor that was tightened does. */
  private static final class Strict implements RecordCodec<Person> {
    private final RecordCodec<Person> lenient = Person.TYPE.codec();

    @Override
    public void write(Person record, RecordWriter out) {
      lenient.write(record, out);
    }

    @Override
    public Person read(RecordReader in) {
      Person person = lenient.read(in);
      if ("Nowhere".equals(person.city())) {
        throw new IllegalArgumentException("there is no such city");
      }
      return person;
    }

    @Override
    public @Nullable Object get(Person record, int number) {
      return lenient.get(record, number);
    }

    @Override
    public Person with(Person record, int number, @Nullable Object value) {
      return lenient.with(record, number, value);
    }
  }

  private static final RecordType<Person> STRICT =
      new RecordType<>(Person.SPEC, Person.class, new Strict());

  private RecordSpace open(RecordType<Person> type) {
    return RecordSpace.open(
        database,
        Schema.of(
            1,
            List.of(type),
            List.of(
                Person.index(BY_CITY, IndexKind.VALUE, "city"),
                Person.index(BY_AGE, IndexKind.VALUE, "age"),
                Person.index(COUNT, IndexKind.COUNT, "city"))),
        ROOT);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private void fill(int count, long unfit, String city) {
    database.run(
        tx ->
            LongStream.range(0, count)
                .forEach(
                    id ->
                        people.save(
                            tx, Person.of(id, id == unfit ? city : "c" + id % 5, (int) id))));
  }

  private void disable(String... indexes) {
    database.run(tx -> List.of(indexes).forEach(index -> space.indexes().disable(tx, index)));
  }

  private static BuildProgress build(RecordSpace in, String... indexes) {
    try (OnlineIndexer indexer =
        OnlineIndexer.of(in, o -> o.withIndexes(indexes).withRecordsPerTransaction(7))) {
      return indexer.build();
    }
  }

  private void assertSound(RecordSpace in) {
    assertThat(Scrubber.of(in, o -> o).run().wrong()).isZero();
  }

  @Test
  void recordTooLargeForANewIndexIsReportedAndCanBeDeleted() {
    disable(BY_CITY, COUNT);
    fill(100, 42, LONG_CITY);

    assertThatThrownBy(() -> build(space, BY_CITY, COUNT))
        .isInstanceOfSatisfying(
            UnfitRecordsException.class,
            unfit -> {
              assertThat(unfit.count()).isOne();
              assertThat(unfit.records().getFirst().primaryKey()).isEqualTo(Tuple.of(42));
              assertThat(unfit).hasMessageContaining(BY_CITY).hasMessageContaining("Delete");
            });
    assertThatThrownBy(() -> database.run(tx -> people.save(tx, Person.of(43, LONG_CITY, 3))))
        .isInstanceOf(RecordTooLargeException.class)
        .hasMessageContaining("disable the index");

    assertThat(database.<Boolean, RuntimeException>transact(tx -> people.delete(tx, 42L))).isTrue();
    build(space, BY_CITY, COUNT);
    assertSound(space);
    assertThat(database.<Long, RuntimeException>read(tx -> people.query().count(tx))).isEqualTo(99);
  }

  @Test
  void coveringValueThatIsTooLargeNamesIndexAndRecord() {
    RecordSpace wide =
        RecordSpace.open(
            database,
            Schema.of(
                1,
                List.of(Person.TYPE),
                List.of(
                    Person.index(BY_CITY, IndexKind.VALUE, "city")
                        .withCovering(List.of(Person.column("email"))))),
            Subspace.of("wide"),
            o -> o.withRecordBytesMax(1_000_000));
    RecordStore<Person> store = wide.store(Person.TYPE);
    Person person = Person.of(42, "Oslo", 1).withEmail("x".repeat(150_000));

    assertThatThrownBy(() -> database.run(tx -> store.save(tx, person)))
        .isInstanceOf(RecordTooLargeException.class)
        .hasMessageContaining("Person (42) in the index '" + BY_CITY + "'")
        .hasMessageContaining("a value of 150,0");
    database.run(tx -> wide.indexes().disable(tx, BY_CITY));
    database.run(tx -> store.save(tx, person));
    assertThatThrownBy(() -> build(wide, BY_CITY))
        .isInstanceOfSatisfying(
            UnfitRecordsException.class,
            unfit ->
                assertThat(unfit.records().getFirst().reason())
                    .contains("Person (42) in the index '" + BY_CITY + "'"));
  }

  /** Each word of a text, and each key of a rank or version index, is checked as saves do. */
  @ParameterizedTest
  @EnumSource(names = {"VALUE", "TEXT", "RANK", "MIN", "MAX", "MIN_EVER", "MAX_EVER", "VERSION"})
  void buildNamesTheRecordWhoseEntryIsTooLarge(IndexKind kind) {
    TypeSpec spec =
        new TypeSpec(
            "Note",
            List.of(
                new FieldSpec(1, "id", FieldType.Scalar.LONG, false),
                new FieldSpec(2, "text", FieldType.Scalar.STRING, true)),
            List.of(1),
            true,
            Optional.empty(),
            List.of());
    RecordType<DynamicRecord> type = DynamicRecord.type(spec);
    Subspace root = Subspace.of("notes");
    RecordStore<DynamicRecord> notes =
        RecordSpace.open(database, Schema.of(1, List.of(type), List.of()), root).store(type);
    String tooLong = kind == IndexKind.TEXT ? "word ".repeat(60_000) : "x".repeat(150_000);
    database.run(
        tx ->
            LongStream.range(0, 20)
                .forEach(
                    id ->
                        notes.save(
                            tx,
                            DynamicRecord.of(spec)
                                .with("id", id)
                                .with("text", id == 13 ? tooLong : "note " + id))));
    IndexSpec index =
        IndexSpec.of("note_text", "Note", kind, List.of(ColumnSpec.of(2))).withSince(2);
    RecordSpace later =
        RecordSpace.open(
            database,
            Schema.of(2, List.of(type), List.of(index)),
            root,
            options -> options.withInlineBuildMax(0));

    assertThatThrownBy(() -> build(later, "note_text"))
        .isInstanceOfSatisfying(
            UnfitRecordsException.class,
            unfit -> {
              assertThat(unfit.count()).isOne();
              assertThat(unfit.records().getFirst().primaryKey()).isEqualTo(Tuple.of(13));
              assertThat(unfit).hasMessageContaining("Note (13) in the index 'note_text'");
            });
    database.run(tx -> later.store(type).delete(tx, 13L));
    assertThat(build(later, "note_text").complete()).isTrue();
    assertSound(later);
  }

  @Test
  void recordWithTooManyCombinationsOfElementsIsRefusedBeforeTheyAreMade() {
    FieldType texts = new FieldType.ListOf(FieldType.Scalar.STRING);
    TypeSpec spec =
        TypeSpec.of(
            "Wide",
            List.of(
                new FieldSpec(1, "id", FieldType.Scalar.LONG, false),
                new FieldSpec(2, "a", texts, false),
                new FieldSpec(3, "b", texts, false),
                new FieldSpec(4, "c", texts, false)),
            List.of(1));
    RecordType<DynamicRecord> type = DynamicRecord.type(spec);
    List<ColumnSpec> columns = spec.fields().subList(1, 4).stream().map(ColumnSpec::ofAll).toList();
    RecordStore<DynamicRecord> store =
        RecordSpace.open(
                database,
                Schema.of(
                    1,
                    List.of(type),
                    List.of(IndexSpec.of("by_all", "Wide", IndexKind.VALUE, columns))),
                Subspace.of("wide"))
            .store(type);
    List<String> many = LongStream.range(0, 1_000).mapToObj(String::valueOf).toList();
    DynamicRecord record =
        DynamicRecord.of(spec).with("id", 7L).with("a", many).with("b", many).with("c", many);

    assertThatThrownBy(() -> database.run(tx -> store.save(tx, record)))
        .isInstanceOf(RecordTooLargeException.class)
        .hasMessageContaining("Wide (7)")
        .hasMessageContaining("by_all")
        .hasMessageContaining("1,000,000,000");
    DynamicRecord small = record.with("b", List.of("1")).with("c", List.of());
    database.run(tx -> store.save(tx, small));
    assertThat(database.<Boolean, RuntimeException>transact(tx -> store.delete(tx, 7L))).isTrue();
  }

  @Test
  void recordTooLargeForANewIndexCanBeSavedInAnotherForm() {
    disable(BY_CITY, COUNT);
    fill(30, 7, LONG_CITY);
    assertThatThrownBy(() -> build(space, BY_CITY, COUNT))
        .isInstanceOf(UnfitRecordsException.class);

    database.run(tx -> people.save(tx, Person.of(7, "short", 1)));

    assertThat(build(space, BY_CITY, COUNT).complete()).isTrue();
    assertSound(space);
  }

  @Test
  void recordTooLargeForANewIndexCanBeQueriedAway() {
    disable(BY_CITY, COUNT);
    fill(30, 7, LONG_CITY);
    assertThatThrownBy(() -> build(space, BY_CITY, COUNT))
        .isInstanceOf(UnfitRecordsException.class);

    people.query().where(PersonFields.AGE.eq(7)).delete();

    build(space, BY_CITY, COUNT);
    assertSound(space);
  }

  @Test
  void refusedRecordIsDeletedByItsKeyWithItsEntries() {
    fill(20, 7, "Nowhere");
    RecordSpace strict = open(STRICT);
    RecordStore<Person> strictPeople = strict.store(STRICT);
    assertThatThrownBy(() -> database.read(tx -> strictPeople.load(tx, 7L)))
        .isInstanceOfSatisfying(
            RefusedRecordException.class,
            refused -> assertThat(refused.primaryKey()).isEqualTo(Tuple.of(7)))
        .hasMessageContaining("delete it");

    assertThat(database.<Boolean, RuntimeException>transact(tx -> strictPeople.delete(tx, 7L)))
        .isTrue();

    assertSound(strict);
    assertThat(database.<Boolean, RuntimeException>transact(tx -> strictPeople.delete(tx, 7L)))
        .isFalse();
  }

  @Test
  void refusedRecordGoesWithARangeAndByQuery() {
    fill(500, 300, "Nowhere");
    RecordSpace strict = open(STRICT);
    RecordStore<Person> strictPeople = strict.store(STRICT);

    BulkProgress done =
        strictPeople
            .query()
            .where(PersonFields.AGE.ge(100))
            .delete(BulkOptions.DEFAULTS.withRowsPerTransaction(50));

    assertThat(done.found()).isEqualTo(400);
    assertThat(done.changed()).isEqualTo(400);
    database.run(tx -> people.save(tx, Person.of(50, "Nowhere", 50)));
    database.run(strictPeople::deleteAll);
    assertSound(strict);
    assertThat(database.<Long, RuntimeException>read(tx -> strictPeople.query().count(tx)))
        .isZero();
  }

  @Test
  void anotherRecordIsSavedOverARefusedOne() {
    fill(20, 7, "Nowhere");
    RecordSpace strict = open(STRICT);
    RecordStore<Person> strictPeople = strict.store(STRICT);
    assertThatThrownBy(
            () -> database.run(tx -> strictPeople.insert(tx, Person.of(7, "Somewhere", 1))))
        .isInstanceOf(RecordExistsException.class);

    database.run(tx -> strictPeople.save(tx, Person.of(7, "Somewhere", 1)));

    assertSound(strict);
    assertThat(database.read(tx -> strictPeople.load(tx, 7L)).orElseThrow().city())
        .isEqualTo("Somewhere");
  }

  @Test
  void buildReportsRefusedRecordsAndGoesOnWhenTheyAreGone() {
    disable(BY_AGE, COUNT);
    fill(50, 7, "Nowhere");
    database.run(tx -> people.save(tx, Person.of(33, "Nowhere", 1)));
    RecordSpace strict = open(STRICT);

    assertThatThrownBy(() -> build(strict, BY_AGE, COUNT))
        .isInstanceOfSatisfying(
            UnfitRecordsException.class,
            unfit ->
                assertThat(unfit.records())
                    .extracting(UnfitRecord::primaryKey)
                    .containsExactlyInAnyOrder(Tuple.of(7), Tuple.of(33)));

    RecordStore<Person> strictPeople = strict.store(STRICT);
    database.run(
        tx -> {
          strictPeople.delete(tx, 7L);
          strictPeople.delete(tx, 33L);
        });
    build(strict, BY_AGE, COUNT);
    assertSound(strict);
  }

  @Test
  void scrubReportsRefusedRecordsAndLooksAtTheOthers() {
    fill(50, 7, "Nowhere");
    RecordSpace strict = open(STRICT);

    ScrubReport report = Scrubber.of(strict, o -> o).run();

    assertThat(report.complete()).isTrue();
    assertThat(report.findings())
        .extracting(Finding::index)
        .containsExactlyInAnyOrder(BY_CITY, BY_AGE, COUNT);
    assertThat(report.findings()).allMatch(each -> each instanceof Finding.Unfit);
    assertThat(report.unfit()).isEqualTo(3);
    assertThat(report.unchecked()).extracting(ScrubReport.Unchecked::index).containsExactly(COUNT);
    database.run(tx -> strict.store(STRICT).delete(tx, 7L));
    assertSound(strict);
  }

  @Test
  void migrationListsRefusedRecordsAndGoesOnWhenTheyAreGone() {
    fill(50, 20, "Nowhere");
    database.run(tx -> people.save(tx, Person.of(33, "Nowhere", 1)));
    RecordSpace strict = open(STRICT);
    Migrations migrations =
        Migrations.of(strict)
            .transform("older", STRICT, person -> person.withAge(person.id() == 3 ? 99 : 100));

    assertThatThrownBy(migrations::run)
        .isInstanceOfSatisfying(
            UnfitRecordsException.class,
            unfit ->
                assertThat(unfit.records())
                    .extracting(UnfitRecord::primaryKey)
                    .containsExactly(Tuple.of(20), Tuple.of(33)))
        .hasMessageContaining("older");

    RecordStore<Person> strictPeople = strict.store(STRICT);
    database.run(
        tx -> {
          strictPeople.delete(tx, 20L);
          strictPeople.delete(tx, 33L);
        });
    assertThat(migrations.run().getFirst().state()).isEqualTo(MigrationStatus.State.DONE);
    assertThat(
            database.<Long, RuntimeException>read(
                tx -> strictPeople.query().where(PersonFields.AGE.eq(100)).count(tx)))
        .isEqualTo(47);
  }
}
