package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Saves, loads and deletes. */
class RecordStoreTest {
  private static final Schema SCHEMA =
      Schema.of(
          1,
          List.of(Person.TYPE),
          List.of(
              Person.index("person_email", IndexKind.VALUE, "email").asUnique(false),
              Person.index("person_city_age", IndexKind.VALUE, "city", "age"),
              Person.index("person_count_by_city", IndexKind.COUNT, "city")));
  private static final Subspace ROOT = Subspace.of("people");

  private final Database database = open();
  private final RecordStore<Person> people =
      RecordSpace.open(database, SCHEMA, ROOT).store(Person.TYPE);
  private final List<KeyValue> empty = contents();

  /** Another store, for those who run these tests on it. */
  Database open() {
    return TestStores.inMemory();
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void savedRecordIsLoadedEqualInAnotherTransaction() {
    Person person =
        new Person(
            -7,
            null,
            "Tokyo",
            null,
            3,
            -0.0,
            List.of("a", "b"),
            new Person.Address(null, "1"),
            null);
    save(person);

    assertThat(load(-7)).contains(person);
  }

  @Test
  void deleteTellsWhetherThereWasARecordAndLeavesNoKeyBehind() {
    save(Person.of(1, "Tokyo", 30));

    assertThat(delete(1)).isTrue();
    assertThat(delete(1)).isFalse();
    assertThat(contents()).isEqualTo(empty);
  }

  @Test
  void insertOfAnExistingRecordIsRefusedAndChangesNothing() {
    save(Person.of(1, "Tokyo", 30));
    List<KeyValue> before = contents();

    database.run(
        tx ->
            assertThatThrownBy(() -> people.insert(tx, Person.of(1, "Kyoto", 31)))
                .isInstanceOf(RecordExistsException.class)
                .hasMessageContaining("Person")
                .hasMessageContaining("(1)"));
    assertThat(contents()).isEqualTo(before);
  }

  @Test
  void updateOfAMissingRecordIsRefused() {
    database.run(
        tx ->
            assertThatThrownBy(() -> people.update(tx, Person.of(1, "Kyoto", 31)))
                .isInstanceOf(RecordMissingException.class)
                .hasMessageContaining("(1)"));
    assertThat(contents()).isEqualTo(empty);
  }

  @Test
  void insertAndUpdateDoWhatTheySay() {
    database.run(tx -> people.insert(tx, Person.of(1, "Tokyo", 30)));
    database.run(tx -> people.update(tx, Person.of(1, "Kyoto", 31)));

    assertThat(load(1)).contains(Person.of(1, "Kyoto", 31));
  }

  @Test
  void scanIsInTheOrderOfPrimaryKeys() {
    long[] ids = {-1, 0, 255, 256, Long.MIN_VALUE, Long.MAX_VALUE, 1};
    for (long id : ids) {
      save(Person.of(id, "Tokyo", 1));
    }

    List<Long> found = database.read(tx -> people.scan(tx).map(Person::id).toList());
    assertThat(found).containsExactly(Long.MIN_VALUE, -1L, 0L, 1L, 255L, 256L, Long.MAX_VALUE);
  }

  @Test
  void loadAllGivesThoseThatExistInTheOrderAskedFor() {
    save(Person.of(1, "Tokyo", 1));
    save(Person.of(3, "Tokyo", 3));

    Map<Tuple, Person> found =
        database.read(tx -> people.loadAll(tx, List.of(Tuple.of(3L), Tuple.of(2L), Tuple.of(1L))));
    assertThat(found.values()).extracting(Person::id).containsExactly(3L, 1L);
  }

  @Test
  void secondOwnerOfAUniqueValueIsRefusedByName() {
    save(Person.of(1, "Tokyo", 30));
    List<KeyValue> before = contents();

    database.run(
        tx ->
            assertThatThrownBy(
                    () -> people.save(tx, Person.of(2, "Kyoto", 3).withEmail("p1@example.com")))
                .isInstanceOf(UniquenessException.class)
                .hasMessageContaining("person_email")
                .hasMessageContaining("(1)")
                .hasMessageContaining("(2)"));
    assertThat(contents()).isEqualTo(before);
  }

  @Test
  void savedAgainUnchangedWritesNothing() {
    save(Person.of(1, "Tokyo", 30));

    try (Transaction tx = database.begin()) {
      people.save(tx, Person.of(1, "Tokyo", 30));

      assertThat(tx.hasWrites()).isFalse();
    }
  }

  @Test
  void wrongPrimaryKeyIsNamed() {
    database.run(
        tx -> {
          assertThatThrownBy(() -> people.load(tx, "one"))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("Person.id")
              .hasMessageContaining("LONG")
              .hasMessageContaining("java.lang.String");
          assertThatThrownBy(() -> people.load(tx, 1L, 2L))
              .hasMessageContaining("has 1 parts; 2 were given");
        });
  }

  @Test
  void indexKeyBeyondTheLimitIsRefusedAtSaveAndNothingIsWritten() {
    database.run(
        tx ->
            assertThatThrownBy(() -> people.save(tx, Person.of(1, "x".repeat(10_001), 3)))
                .isInstanceOf(RecordTooLargeException.class)
                .hasMessageContaining("person_city_age")
                .hasMessageContaining("(1)")
                .hasMessageContaining("10,000"));
    assertThat(contents()).isEqualTo(empty);
  }

  @Test
  void recordBeyondTheLimitIsRefusedAtSaveAndNothingIsWritten() {
    Person large = Person.of(1, "Tokyo", 1).withTags("x".repeat(1 << 20));
    database.run(
        tx ->
            assertThatThrownBy(() -> people.save(tx, large))
                .isInstanceOf(RecordTooLargeException.class)
                .hasMessageContaining("Person (1)")
                .hasMessageContaining("recordBytesMax"));
    assertThat(contents()).isEqualTo(empty);
  }

  @Test
  void bodyThatFailsAfterASaveLeavesNothing() {
    assertThatThrownBy(
            () ->
                database.run(
                    tx -> {
                      people.save(tx, Person.of(1, "Tokyo", 30));
                      throw new IllegalStateException("after the save");
                    }))
        .hasMessage("after the save");
    assertThat(contents()).isEqualTo(empty);
  }

  @Test
  void bodyThatMeetsTwoConflictsRunsThreeTimesAndCountsOnce() {
    List<Integer> attempts = new ArrayList<>();
    FaultyDatabase faulty =
        FaultyDatabase.over(database, FaultPlan.first(Fault.CONFLICT, Fault.CONFLICT));
    RecordStore<Person> store = RecordSpace.open(faulty, SCHEMA, ROOT).store(Person.TYPE);
    faulty.run(
        tx -> {
          attempts.add(attempts.size());
          store.save(tx, Person.of(1, "Tokyo", 30));
        });

    assertThat(attempts).hasSize(3);
    assertThat(load(1)).isPresent();
  }

  @Test
  void bulkSaveBeyondTheTransactionLimitIsNotRetried() {
    List<Integer> attempts = new ArrayList<>();
    assertThatThrownBy(
            () ->
                database
                    .with(options -> options.withSizeLimit(10_000))
                    .run(
                        tx -> {
                          attempts.add(attempts.size());
                          for (int i = 0; i < 1_000; i++) {
                            people.save(tx, Person.of(i, "Tokyo", i));
                          }
                        }))
        .isInstanceOf(LimitExceededException.class)
        .hasMessageContaining("10,000");
    assertThat(attempts).hasSize(1);
    assertThat(contents()).isEqualTo(empty);
    assertThat(TransactionOptions.DEFAULTS.retryLimit()).isPositive();
  }

  @Test
  void versionsFollowTheOrderOfCommitsAndOfSavesWithinOne() {
    TypeSpec spec =
        new TypeSpec("Person", Person.SPEC.fields(), List.of(1), true, Optional.empty(), List.of());
    RecordType<Person> type = new RecordType<>(spec, Person.class, Person.TYPE.codec());
    RecordStore<Person> store =
        RecordSpace.open(database, Schema.of(1, List.of(type), List.of()), Subspace.of("v"))
            .store(type);
    database.run(
        tx -> {
          store.save(tx, Person.of(1, "a", 1));
          store.save(tx, Person.of(2, "a", 1));
        });
    database.run(tx -> store.save(tx, Person.of(1, "b", 1)));

    Versionstamp first = version(store, 2);
    Versionstamp second = version(store, 1);
    assertThat(first.userVersion()).isEqualTo(1);
    assertThat(second).isGreaterThan(first);
    database.run(tx -> store.delete(tx, 1L));
    Optional<Versionstamp> gone = database.read(tx -> store.version(tx, 1L));
    assertThat(gone).isEmpty();
  }

  private Versionstamp version(RecordStore<Person> store, long id) {
    Optional<Versionstamp> found = database.read(tx -> store.version(tx, id));
    return found.orElseThrow();
  }

  private void save(Person person) {
    database.run(tx -> people.save(tx, person));
  }

  private Optional<Person> load(long id) {
    return database.read(tx -> people.load(tx, id));
  }

  private boolean delete(long id) {
    return database.transact(tx -> people.delete(tx, id));
  }

  private List<KeyValue> contents() {
    return database.read(tx -> tx.scan(ROOT.prefixRange()).list());
  }
}
