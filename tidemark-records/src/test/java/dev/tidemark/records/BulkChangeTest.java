package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LONG;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.query.BulkOptions;
import dev.tidemark.records.query.BulkProgress;
import dev.tidemark.records.query.Continuation;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import dev.tidemark.testkit.junit.DatabaseExtension;
import dev.tidemark.testkit.junit.SeedSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;

/** Deletes and updates by query. */
class BulkChangeTest {
  private static final Subspace ROOT = Subspace.of("people");
  private static final BulkOptions SMALL = BulkOptions.DEFAULTS.withRowsPerTransaction(7);

  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  private static RecordStore<Person> people(Database database, int count) {
    Schema schema =
        Schema.of(
            1,
            List.of(Person.TYPE),
            List.of(
                Person.index("age", IndexKind.VALUE, "age"),
                Person.index("city", IndexKind.VALUE, "city"),
                Person.index("tags", IndexKind.VALUE, "tags"),
                Person.index("count", IndexKind.COUNT)));
    RecordStore<Person> store = RecordSpace.open(database, schema, ROOT).store(Person.TYPE);
    database.run(
        tx -> {
          for (int id = 0; id < count; id++) {
            store.save(
                tx,
                Person.of(id, id % 2 == 0 ? "Oslo" : "Lima", id % 10)
                    .withTags("t" + id % 3, "all"));
          }
        });
    return store;
  }

  private static List<Integer> ages(Database database, RecordStore<Person> store) {
    return database.read(tx -> store.scan(tx).map(Person::age).toList());
  }

  @Test
  void deleteRemovesExactlyTheRecordsOfTheQueryInBatches(Database database) {
    RecordStore<Person> store = people(database, 100);
    List<BulkProgress> batches = new ArrayList<>();

    BulkProgress progress =
        store
            .query()
            .where(PersonFields.AGE.between(3, 5))
            .delete(SMALL.withAfterCommit(batches::add));

    assertThat(progress.changed()).isEqualTo(30);
    assertThat(progress.done()).isTrue();
    assertThat(batches).hasSizeGreaterThanOrEqualTo(5).last().isEqualTo(progress);
    assertThat(ages(database, store)).hasSize(70).doesNotContain(3, 4, 5);
    long counted = database.<Long, RuntimeException>read(store::count);
    assertThat(counted).isEqualTo(70);
  }

  @Test
  void updateOfTheColumnThatIsSearchedChangesEachRecordOnce(Database database) {
    RecordStore<Person> store = people(database, 100);

    BulkProgress progress =
        store
            .query()
            .where(PersonFields.AGE.ge(0))
            .update(person -> person.withAge(10 + orZero(person.age())), SMALL);

    assertThat(progress.changed()).isEqualTo(100);
    assertThat(ages(database, store)).allMatch(age -> age >= 10 && age < 20);
  }

  private static int orZero(@Nullable Integer age) {
    return age == null ? 0 : age;
  }

  @Test
  void updateThatMovesARecordToAnotherValueOfTheQueryChangesItOnce(Database database) {
    RecordStore<Person> store = people(database, 60);

    store
        .query()
        .where(PersonFields.CITY.in("Lima", "Oslo"))
        .update(
            person ->
                person
                    .withCity("Lima".equals(person.city()) ? "Oslo" : "Lima")
                    .withScore(person.score() + 1),
            SMALL);

    List<Person> all = database.read(tx -> store.scan(tx).toList());
    assertThat(all).allMatch(person -> person.score() == person.id() * 10 + 1);
    assertThat(all).filteredOn(person -> "Lima".equals(person.city())).hasSize(30);
  }

  @Test
  void updateThatChangesNothingSavesNothing(Database database) {
    RecordStore<Person> store = people(database, 20);

    BulkProgress progress = store.query().update(person -> person, SMALL);

    assertThat(progress.found()).isEqualTo(20);
    assertThat(progress.changed()).isZero();
  }

  @Test
  void updateGoesOnInAnotherRunFromTheContinuationStoredWithItsBatch(Database database) {
    RecordStore<Person> store = people(database, 50);
    Key place = Subspace.of("place").pack("update");
    BulkOptions stored =
        SMALL.withInTransaction((tx, progress) -> tx.set(place, progress.continuation().toBytes()));
    int[] left = {3};

    assertThatThrownBy(
            () ->
                store
                    .query()
                    .update(
                        BulkChangeTest::older,
                        stored.withAfterCommit(
                            progress -> {
                              if (--left[0] == 0) {
                                throw new IllegalStateException("the process ends here");
                              }
                            })))
        .hasMessageContaining("ends here");
    Continuation at = Continuation.of(database.read(tx -> tx.get(place).orElseThrow()));
    store.query().update(BulkChangeTest::older, stored.withFrom(at));

    assertThat(ages(database, store))
        .isEqualTo(IntStream.range(0, 50).mapToObj(id -> id % 10 + 1).toList());
  }

  private static Person older(Person person) {
    return person.withAge(orZero(person.age()) + 1);
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 4)
  void updateAppliesOnceThoughCommitsGoWrong(long seed) {
    FaultPlan faults =
        FaultPlan.random(
            seed, 0.3, Fault.CONFLICT, Fault.UNKNOWN_COMMITTED, Fault.UNKNOWN_NOT_COMMITTED);
    try (Database database = FaultyDatabase.over(EmbeddedDatabase.inMemory(), faults)) {
      RecordStore<Person> store = people(database, 80);

      store.query().update(BulkChangeTest::older, SMALL);
      store.query().where(PersonFields.AGE.eq(5)).delete(SMALL);

      List<Integer> ages = ages(database, store);
      assertThat(ages).hasSize(72).allMatch(age -> age >= 1 && age <= 10);
    }
  }

  @Test
  void updateRefusesAnOrderALimitAndAnotherPrimaryKey(Database database) {
    RecordStore<Person> store = people(database, 5);

    assertThatThrownBy(() -> store.query().limit(3).update(person -> person))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no order, limit or offset");
    assertThatThrownBy(
            () -> store.query().update(person -> Person.of(person.id() + 100, "Oslo", 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("primary key");
  }

  @Test
  void batchOfLargeRecordsIsNoLargerThanATransactionCanBe(Database database) {
    RecordStore<Person> store = people(database, 0);
    for (int id = 0; id < 25; id++) {
      Person large =
          Person.of(id, "Oslo", 1).withAddress(new Person.Address("x".repeat(900_000), null));
      database.run(tx -> store.save(tx, large));
    }
    List<Long> found = new ArrayList<>();

    store
        .query()
        .update(
            person -> person.withAge(2),
            BulkOptions.DEFAULTS
                .withTimePerTransaction(Duration.ofSeconds(30))
                .withAfterCommit(progress -> found.add(progress.found())));
    assertThat(found).first(LONG).isBetween(8L, 10L);
    assertThat(found).last().isEqualTo(25L);
    found.clear();

    store
        .query()
        .delete(
            BulkOptions.DEFAULTS
                .withTimePerTransaction(Duration.ofSeconds(30))
                .withAfterCommit(progress -> found.add(progress.found())));
    assertThat(found).first(LONG).isBetween(8L, 10L);
    assertThat(found).last().isEqualTo(25L);
  }

  /** A sort looks at everything before it gives its first record. */
  @Test
  void deleteThatSortsLargeRecordsLooksAtAllOfThem(Database database) {
    RecordStore<Person> store = people(database, 0);
    for (int id = 0; id < 12; id++) {
      Person large =
          Person.of(id, "Oslo", 1).withAddress(new Person.Address("x".repeat(900_000), null));
      database.run(tx -> store.save(tx, large));
    }

    store.query().orderBy(PersonFields.EMAIL.desc()).limit(2).delete();

    List<Long> ids = database.read(tx -> store.scan(tx).map(Person::id).toList());
    assertThat(ids).hasSize(10).doesNotContain(9L, 8L);
  }

  @Test
  void deleteOfTheFirstFewTakesAnOrderAndALimit(Database database) {
    RecordStore<Person> store = people(database, 30);

    store.query().orderBy(PersonFields.ID.desc()).limit(11).delete(SMALL);

    List<Long> ids = database.read(tx -> store.scan(tx).map(Person::id).toList());
    assertThat(ids).hasSize(19).allMatch(id -> id < 19);
  }
}
