package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.changes.ChangeColumn;
import dev.tidemark.records.changes.ChangePartition;
import dev.tidemark.records.changes.ChangePosition;
import dev.tidemark.records.changes.DataChange;
import dev.tidemark.records.changes.ModType;
import dev.tidemark.records.maintenance.SchemaDiff;
import dev.tidemark.records.schema.CaptureType;
import dev.tidemark.records.schema.ChangeStreamSpec;
import dev.tidemark.records.schema.ChangeStreamSpec.Exclusion;
import dev.tidemark.records.schema.ChangeStreamSpec.Watched;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a change stream records of saves and deletes. */
class ChangeCaptureTest {
  private static final ChangeStreamSpec ALL = ChangeStreamSpec.of("all");

  private final Database database = open();
  private int stores;
  private RecordSpace space = open(ALL);
  private RecordStore<Person> people = space.store(Person.TYPE);

  /** Another store, for those who run these tests on it. */
  Database open() {
    return TestStores.inMemory();
  }

  @AfterEach
  void close() {
    database.close();
  }

  private RecordSpace open(ChangeStreamSpec... streams) {
    Schema schema =
        Schema.of(
                1,
                List.of(Person.TYPE),
                List.of(Person.index("person_email", IndexKind.VALUE, "email")))
            .withStreams(streams);
    return RecordSpace.open(database, schema, Subspace.of("people", stores++));
  }

  private void use(ChangeStreamSpec... streams) {
    space = open(streams);
    people = space.store(Person.TYPE);
  }

  private void save(Person... some) {
    database.run(
        tx -> {
          for (Person person : some) {
            people.save(tx, person);
          }
        });
  }

  private List<DataChange> changes() {
    return changes(space, "all");
  }

  static List<DataChange> changes(RecordSpace space, String stream) {
    List<DataChange> all = new ArrayList<>();
    var log = space.changes().log(stream);
    for (ChangePartition partition : log.partitions()) {
      ChangePosition from = partition.start();
      boolean more = true;
      while (more) {
        var batch = log.read(partition.token(), from, 3, 1 << 20);
        all.addAll(batch.changes());
        from = batch.position();
        more = !batch.caughtUp();
      }
    }
    return all;
  }

  private static Map<String, @Nullable Object> values(@Nullable Object... pairs) {
    Map<String, @Nullable Object> map = new HashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put(String.valueOf(pairs[i]), pairs[i + 1]);
    }
    return map;
  }

  private static Map<String, @Nullable Object> row(Person person) {
    return values(
        "email", person.email(),
        "city", person.city(),
        "age", person.age(),
        "score", person.score(),
        "weight", person.weight(),
        "tags", person.tags(),
        "address",
            person.address() == null
                ? null
                : values("street", person.address().street(), "zip", person.address().zip()),
        "expires", person.expires());
  }

  // ---- kinds of changes and values

  @Test
  void insertUpdateAndDeleteAreRecordedInTheOrderOfTheirCommits() {
    Person one = Person.of(1, "Oslo", 30).withAddress(new Person.Address("Storgata", null));
    Person older = one.withAge(31).withCity(null);
    save(one);
    save(older);
    database.run(tx -> people.delete(tx, 1L));

    List<DataChange> found = changes();
    assertThat(found)
        .extracting(DataChange::modType)
        .containsExactly(ModType.INSERT, ModType.UPDATE, ModType.DELETE);
    assertThat(found).allSatisfy(change -> assertThat(change.keys()).isEqualTo(Map.of("id", 1L)));
    assertThat(found).isSortedAccordingTo((a, b) -> a.position().compareTo(b.position()));
    assertThat(found.get(0).newValues()).isEqualTo(row(one));
    assertThat(found.get(0).oldValues()).isEmpty();
    assertThat(found.get(1).newValues()).isEqualTo(values("age", 31, "city", null));
    assertThat(found.get(1).oldValues()).isEqualTo(values("age", 30, "city", "Oslo"));
    assertThat(found.get(2).newValues()).isEmpty();
    assertThat(found.get(2).oldValues()).isEqualTo(row(older));
    assertThat(found.get(1).columns())
        .extracting(ChangeColumn::name)
        .containsExactly("id", "city", "age");
    assertThat(found.get(0).newRecord(Person.TYPE)).contains(one);
    assertThat(found.get(1).newRecord(Person.TYPE)).isEmpty();
    assertThat(found.get(2).oldRecord(Person.TYPE)).contains(older);
    assertThat(found).extracting(DataChange::transactionId).doesNotHaveDuplicates();
  }

  @Test
  void captureTypesKeepWhatTheySay() {
    use(
        Stream.of(CaptureType.values())
            .map(type -> ChangeStreamSpec.of(type.name()).withCapture(type))
            .toArray(ChangeStreamSpec[]::new));
    Person before = Person.of(1, "Oslo", 30).withTags("a", "b");
    Person after = before.withAge(31).withTags("b");
    save(before);
    save(after);
    database.run(tx -> people.delete(tx, 1L));

    Map<String, @Nullable Object> newChanged = values("age", 31, "tags", List.of("b"));
    Map<String, @Nullable Object> oldChanged = values("age", 30, "tags", List.of("a", "b"));
    checkValues(CaptureType.OLD_AND_NEW_VALUES, before, newChanged, oldChanged, row(after));
    checkValues(CaptureType.NEW_VALUES, before, newChanged, Map.of(), Map.of());
    checkValues(CaptureType.NEW_ROW, before, row(after), Map.of(), Map.of());
    checkValues(CaptureType.NEW_ROW_AND_OLD_VALUES, before, row(after), oldChanged, row(after));
    DataChange whole = changes(space, "NEW_ROW_AND_OLD_VALUES").get(1);
    assertThat(whole.newRecord(Person.TYPE)).contains(after);
    assertThat(whole.oldRecord(Person.TYPE)).contains(before);
  }

  private void checkValues(
      CaptureType type,
      Person inserted,
      Map<String, ?> updateNew,
      Map<String, ?> updateOld,
      Map<String, ?> deleteOld) {
    List<DataChange> found = changes(space, type.name());
    assertThat(found).hasSize(3).allMatch(change -> change.captureType() == type);
    assertThat(found.get(0).newValues()).isEqualTo(row(inserted));
    assertThat(found.get(0).oldValues()).isEmpty();
    assertThat(found.get(1).newValues()).isEqualTo(updateNew);
    assertThat(found.get(1).oldValues()).isEqualTo(updateOld);
    assertThat(found.get(2).newValues()).isEmpty();
    assertThat(found.get(2).oldValues()).isEqualTo(deleteOld);
  }

  // ---- folding

  @Test
  void changesOfOneRecordInOneTransactionAreOne() {
    save(Person.of(1, "Oslo", 30), Person.of(2, "Lima", 40));
    database.run(
        tx -> {
          people.save(tx, Person.of(1, "Rome", 30));
          people.save(tx, Person.of(1, "Kyoto", 30)); // first old, last new
          people.save(tx, Person.of(2, "Rome", 40));
          people.delete(tx, 2L); // an update and a delete are a delete
          people.save(tx, Person.of(3, "Rome", 5));
          people.delete(tx, 3L); // an insert and a delete are nothing
          people.save(tx, Person.of(4, "Rome", 5));
          people.save(tx, Person.of(4, "Bern", 5)); // an insert and an update are an insert
        });

    List<DataChange> found = changes();
    assertThat(found).hasSize(5);
    DataChange update = found.get(2);
    assertThat(update.oldValues()).isEqualTo(values("city", "Oslo"));
    assertThat(update.newValues()).isEqualTo(values("city", "Kyoto"));
    assertThat(found.get(3).modType()).isEqualTo(ModType.DELETE);
    assertThat(found.get(3).oldValues()).isEqualTo(row(Person.of(2, "Lima", 40)));
    assertThat(found.get(4).modType()).isEqualTo(ModType.INSERT);
    assertThat(found.get(4).newValues()).isEqualTo(row(Person.of(4, "Bern", 5)));
  }

  @Test
  void saveOfTheSameValuesIsNoChange() {
    save(Person.of(1, "Oslo", 30));
    save(Person.of(1, "Oslo", 30));
    database.run(
        tx -> {
          people.save(tx, Person.of(1, "Rome", 30));
          people.save(tx, Person.of(1, "Oslo", 30));
          people.delete(tx, 1L);
          people.save(tx, Person.of(1, "Oslo", 30));
        });
    assertThat(changes()).hasSize(1);
  }

  @Test
  void recordsOfATransactionAreCountedAndTheLastIsMarked() {
    save(Person.of(1, "Oslo", 1), Person.of(2, "Oslo", 2), Person.of(3, "Oslo", 3));
    List<DataChange> found = changes();
    assertThat(found).extracting(DataChange::recordsInTransaction).containsExactly(3, 3, 3);
    assertThat(found).extracting(DataChange::partitionsInTransaction).containsExactly(1, 1, 1);
    assertThat(found)
        .extracting(DataChange::isLastInTransactionInPartition)
        .containsExactly(false, false, true);
    assertThat(found)
        .extracting(DataChange::transactionId)
        .containsOnly(found.get(0).transactionId());
    assertThat(found).noneMatch(DataChange::isSystemTransaction);
  }

  @Test
  void transactionOverTwoPartitionsCountsBoth() {
    var log = space.changes().log("all");
    log.split(log.partitions().getFirst().token(), "Person", Tuple.of(10L));
    save(Person.of(1, "Oslo", 1), Person.of(20, "Oslo", 2), Person.of(2, "Oslo", 3));
    List<DataChange> found = changes();
    assertThat(found).extracting(DataChange::partitionsInTransaction).containsExactly(2, 2, 2);
    assertThat(found).extracting(DataChange::recordsInTransaction).containsExactly(3, 3, 3);
    assertThat(found).extracting(change -> change.keys().get("id")).containsExactly(1L, 2L, 20L);
    assertThat(found)
        .extracting(DataChange::isLastInTransactionInPartition)
        .containsExactly(false, true, true);
  }

  @Test
  void actionsBeforeTheCommitMayChangeRecordsToo() {
    database.run(
        tx -> {
          people.save(tx, Person.of(1, "Oslo", 1));
          tx.beforeCommit(
              late -> {
                people.save(late, Person.of(1, "Rome", 1));
                people.save(late, Person.of(2, "Rome", 1));
              });
        });
    List<DataChange> found = changes();
    assertThat(found).extracting(DataChange::recordsInTransaction).containsExactly(2, 2);
    assertThat(found.get(0).newValues()).containsEntry("city", "Rome");
  }

  @Test
  void twoSpacesAtOnePlaceAreCapturedAsOne() {
    RecordSpace again =
        RecordSpace.open(database, space.schema(), Subspace.of("people", stores - 1));
    database.run(
        tx -> {
          people.save(tx, Person.of(1, "Oslo", 1));
          again.store(Person.TYPE).save(tx, Person.of(1, "Rome", 1));
          again.store(Person.TYPE).save(tx, Person.of(2, "Rome", 1));
        });
    assertThat(changes())
        .extracting(change -> change.newValues().get("city"))
        .containsExactly("Rome", "Rome");
  }

  @Test
  void transactionThatIsGivenUpRecordsNothing() {
    try (Transaction tx = database.begin()) {
      people.save(tx, Person.of(1, "Oslo", 1));
    }
    assertThat(changes()).isEmpty();
  }

  // ---- what is watched

  @Test
  void onlyWatchedFieldsAreRecorded() {
    use(ALL.withWatched(Watched.fields(Person.SPEC, "city", "score")));
    save(Person.of(1, "Oslo", 30));
    save(Person.of(1, "Oslo", 31));
    save(Person.of(1, "Rome", 32));
    database.run(tx -> people.delete(tx, 1L));

    List<DataChange> found = changes();
    assertThat(found)
        .extracting(DataChange::modType)
        .containsExactly(ModType.INSERT, ModType.UPDATE, ModType.DELETE);
    assertThat(found.get(0).newValues()).isEqualTo(values("city", "Oslo", "score", 10L));
    assertThat(found.get(0).newRecord(Person.TYPE)).isEmpty();
    assertThat(found.get(1).oldValues()).isEqualTo(values("city", "Oslo"));
    assertThat(found.get(2).oldValues()).isEqualTo(values("city", "Rome", "score", 10L));
  }

  @Test
  void streamWithoutFieldsRecordsInsertsAndDeletes() {
    use(ALL.withWatched(Watched.parse(List.of(Person.SPEC), "Person()")));
    save(Person.of(1, "Oslo", 30));
    save(Person.of(1, "Oslo", 31));
    database.run(tx -> people.delete(tx, 1L));
    assertThat(changes())
        .extracting(DataChange::modType)
        .containsExactly(ModType.INSERT, ModType.DELETE);
    assertThat(changes()).allMatch(change -> change.newValues().isEmpty());
  }

  @Test
  void exclusionsAreNotRecorded() {
    use(
        ALL.withExclusions(Exclusion.INSERTS),
        ChangeStreamSpec.of("u").withExclusions(Exclusion.UPDATES),
        ChangeStreamSpec.of("d").withExclusions(Exclusion.DELETES));
    save(Person.of(1, "Oslo", 30));
    save(Person.of(1, "Oslo", 31));
    database.run(tx -> people.delete(tx, 1L));
    assertThat(changes())
        .extracting(DataChange::modType)
        .containsExactly(ModType.UPDATE, ModType.DELETE);
    assertThat(changes(space, "u"))
        .extracting(DataChange::modType)
        .containsExactly(ModType.INSERT, ModType.DELETE);
    assertThat(changes(space, "d"))
        .extracting(DataChange::modType)
        .containsExactly(ModType.INSERT, ModType.UPDATE);
  }

  @Test
  void transactionExcludesItselfWhereTheStreamAllowsIt() {
    use(ALL, ChangeStreamSpec.of("some").withOptOut(true));
    database.run(
        tx -> {
          people.save(tx, Person.of(1, "Oslo", 30));
          space.changes().exclude(tx);
          people.save(tx, Person.of(2, "Oslo", 30));
        });
    save(Person.of(3, "Oslo", 30));
    assertThat(changes()).hasSize(3);
    assertThat(changes(space, "some")).hasSize(1);
  }

  @Test
  void tagIsKeptWithEveryChangeOfItsTransaction() {
    database.run(
        tx -> {
          people.save(tx, Person.of(1, "Oslo", 30));
          space.changes().tag(tx, "import 7, år");
        });
    save(Person.of(2, "Oslo", 30));
    assertThat(changes())
        .extracting(DataChange::transactionTag)
        .containsExactly("import 7, år", "");
    assertThatThrownBy(() -> database.run(tx -> space.changes().tag(tx, "x".repeat(201))))
        .hasMessageContaining("201 characters");
  }

  // ---- ranges and sizes

  @Test
  void rangeDeleteOfAWatchedTypeIsRecordedRecordByRecord() {
    Schema plain = Schema.of(1, List.of(Person.TYPE), List.of()).withStreams(ALL);
    space = RecordSpace.open(database, plain, Subspace.of("ranges"));
    people = space.store(Person.TYPE);
    save(Person.of(1, "Oslo", 1), Person.of(2, "Oslo", 2), Person.of(3, "Oslo", 3));
    database.run(
        tx -> {
          people.save(tx, Person.of(4, "Oslo", 4));
          people.deleteBetween(tx, Tuple.of(2L), Tuple.of(9L));
        });
    List<DataChange> found = changes();
    assertThat(found.subList(3, found.size()))
        .extracting(change -> change.modType() + " " + change.keys().get("id"))
        .containsExactly("DELETE 2", "DELETE 3");
  }

  @Test
  void rangeDeleteBeyondTheLimitNamesTheStreamAndTheQuery() {
    Schema plain = Schema.of(1, List.of(Person.TYPE), List.of()).withStreams(ALL);
    space = RecordSpace.open(database, plain, Subspace.of("ranges"));
    people = space.store(Person.TYPE);
    for (int i = 0; i <= 10; i++) {
      int from = i * 1_000;
      database.run(
          tx -> {
            for (int id = from; id < from + 1_000; id++) {
              people.save(tx, Person.of(id, null, null));
            }
          });
    }
    assertThatThrownBy(() -> database.run(tx -> people.deleteAll(tx)))
        .isInstanceOf(TooManyRecordsException.class)
        .hasMessageContaining("the change stream 'all' records each of them")
        .hasMessageContaining("query().delete()");
  }

  @Test
  void largeRecordsAreRecordedInPieces() {
    Person large = Person.of(1, "x".repeat(250_000), 1);
    Person larger = large.withCity("y".repeat(400_000));
    save(large);
    save(larger, Person.of(2, "Oslo", 2));
    List<DataChange> found = changes();
    assertThat(found).hasSize(3);
    assertThat(found.get(0).newRecord(Person.TYPE)).contains(large);
    assertThat(found.get(1).oldValues()).isEqualTo(values("city", large.city()));
    assertThat(found.get(1).newValues()).isEqualTo(values("city", larger.city()));
    assertThat(found.get(2).newRecord(Person.TYPE)).contains(Person.of(2, "Oslo", 2));
  }

  // ---- streams of a store in use

  @Test
  void streamIsAddedToAndRemovedFromAStoreInUse() {
    use();
    save(Person.of(1, "Oslo", 1));
    space.changes().add(ALL);
    assertThat(space.changes().list()).containsExactly(ALL);
    save(Person.of(2, "Oslo", 2));
    assertThat(changes()).hasSize(1);

    space.changes().add(ALL.withCapture(CaptureType.NEW_ROW));
    save(Person.of(2, "Rome", 2));
    assertThat(changes())
        .extracting(DataChange::captureType)
        .containsExactly(CaptureType.OLD_AND_NEW_VALUES, CaptureType.NEW_ROW);

    assertThat(space.changes().remove("all")).isTrue();
    assertThat(space.changes().remove("all")).isFalse();
    save(Person.of(2, "Bern", 2));
    assertThatThrownBy(this::changes).hasMessageContaining("has no change stream 'all'; it has []");
    space.changes().add(ALL);
    assertThat(changes()).isEmpty();
  }

  @Test
  void saveThatBeganBeforeTheStreamWasAddedBeginsAnew() {
    use();
    int[] attempts = {0};
    database.run(
        tx -> {
          people.save(tx, Person.of(1, "Oslo", 1));
          if (attempts[0]++ == 0) {
            space.changes().add(ALL);
          }
        });
    assertThat(attempts[0]).isEqualTo(2);
    assertThat(changes()).hasSize(1);
  }

  @Test
  void twoSavesOfDifferentRecordsDoNotConflict() {
    save(Person.of(9, "Oslo", 1));
    try (Transaction one = database.begin();
        Transaction other = database.begin()) {
      people.save(one, Person.of(1, "Oslo", 1));
      people.save(other, Person.of(2, "Oslo", 1));
      one.commit();
      other.commit();
    }
    assertThat(changes()).hasSize(3);
  }

  @Test
  void schemaOfAHigherVersionAddsAndChangesStreamsAndKeepsOthers() {
    save(Person.of(1, "Oslo", 1));
    ChangeStreamSpec more = ChangeStreamSpec.of("more");
    Schema second =
        new Schema(2, space.schema().types(), space.schema().indexes(), List.of())
            .withStreams(more);
    SchemaDiff diff = SchemaDiff.of(space, second);
    assertThat(diff.changes())
        .extracting(SchemaDiff.Change::kind)
        .containsExactly(SchemaDiff.Kind.STREAM_ADDED, SchemaDiff.Kind.STREAM_KEPT);
    RecordSpace later = RecordSpace.open(database, second, Subspace.of("people", stores - 1));
    database.run(tx -> later.store(Person.TYPE).save(tx, Person.of(2, "Oslo", 1)));
    assertThat(changes(later, "all")).hasSize(2);
    assertThat(changes(later, "more")).hasSize(1);

    Schema third = new Schema(3, second.types(), second.indexes(), List.of());
    RecordSpace last =
        RecordSpace.open(
            database,
            third.withStreams(more.withCapture(CaptureType.NEW_ROW)),
            Subspace.of("people", stores - 1));
    database.run(tx -> last.store(Person.TYPE).save(tx, Person.of(2, "Rome", 1)));
    assertThat(changes(last, "more"))
        .extracting(DataChange::captureType)
        .containsExactly(CaptureType.OLD_AND_NEW_VALUES, CaptureType.NEW_ROW);
    RecordSpace stored =
        RecordSpace.openStored(database, Subspace.of("people", stores - 1), o -> o);
    assertThat(changes(stored, "all")).hasSize(3);
    assertThat(stored.schema().changeStreams())
        .containsExactly(more.withCapture(CaptureType.NEW_ROW));
  }

  @Test
  void declarationIsChecked() {
    assertThatThrownBy(() -> ChangeStreamSpec.of("no-good")).hasMessageContaining("'no-good'");
    assertThatThrownBy(() -> open(ALL, ALL)).hasMessageContaining("Two change streams");
    assertThatThrownBy(() -> open(ALL.withWatched(Watched.all("Book"))))
        .hasMessageContaining("the type Book");
    assertThatThrownBy(() -> Watched.fields(Person.SPEC, "height"))
        .hasMessageContaining("'height'");
    assertThatThrownBy(() -> ALL.withRetention(java.time.Duration.ZERO))
        .hasMessageContaining("PT0S");
  }
}
