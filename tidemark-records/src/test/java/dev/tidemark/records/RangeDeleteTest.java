package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.Recount;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Deletes of many records by their primary keys. */
class RangeDeleteTest {
  private static final IndexSpec COUNT_BY_KEY = Person.index("count", IndexKind.COUNT, "score");
  private static final IndexSpec BY_KEY = Person.index("by_key", IndexKind.VALUE, "score", "city");
  private static final IndexSpec BY_CITY = Person.index("by_city", IndexKind.VALUE, "city");

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();

  @AfterEach
  void close() {
    database.close();
  }

  private RecordStore<Person> open(IndexSpec... indexes) {
    RecordStore<Person> people =
        RecordSpace.open(database, People.schema(People.BY_SCORE, indexes), Subspace.of("people"))
            .store(People.BY_SCORE);
    for (long id = 0; id < 60; id++) {
      Person person = Person.of(id, id % 2 == 0 ? "Oslo" : "Lima", (int) id).withScore(id % 6);
      database.run(tx -> people.save(tx, person));
    }
    return people;
  }

  private List<Long> scores(RecordStore<Person> people) {
    return database.read(tx -> people.scan(tx).map(Person::score).distinct().toList());
  }

  @Test
  void recordsWithAPrefixGoWithAllTheirEntries() {
    RecordStore<Person> people = open(COUNT_BY_KEY, BY_KEY, BY_CITY);
    database.run(tx -> people.deleteWhere(tx, 3L));

    assertThat(scores(people)).containsExactly(0L, 1L, 2L, 4L, 5L);
    assertThat(database.<Long, RuntimeException>read(tx -> people.count(tx, "count", 3L))).isZero();
    Recount.check(people.space().internals());
  }

  @Test
  void recordsBetweenTwoKeysGoAndTheEndStays() {
    RecordStore<Person> people = open(COUNT_BY_KEY, BY_KEY);
    database.run(tx -> people.deleteBetween(tx, Tuple.of(1), Tuple.of(4)));
    assertThat(scores(people)).containsExactly(0L, 4L, 5L);

    database.run(tx -> people.deleteBetween(tx, Tuple.of(4, 30), Tuple.of(5, 30)));
    List<Long> left =
        database.read(tx -> people.scan(tx).filter(p -> p.score() >= 4).map(Person::id).toList());
    assertThat(left).containsExactly(4L, 10L, 16L, 22L, 28L, 35L, 41L, 47L, 53L, 59L);
    database.run(tx -> people.deleteBetween(tx, Tuple.of(5), Tuple.of(0)));
    assertThat(scores(people)).containsExactly(0L, 4L, 5L);
    Recount.check(people.space().internals());
  }

  @Test
  void whereEveryIndexBeginsWithThePrefixNothingIsRead() {
    RecordStore<Person> people = open(COUNT_BY_KEY, BY_KEY);
    try (Transaction delete = database.begin()) {
      people.deleteWhere(delete, 3L);
      database.run(tx -> people.save(tx, Person.of(99, "Lima", 1).withScore(3)));
      delete.commit();
    }
    assertThat(scores(people)).containsExactly(0L, 1L, 2L, 4L, 5L);
    Recount.check(people.space().internals());
  }

  @Test
  void whereAnIndexIsByOtherFieldsARecordThatComesMeanwhileConflicts() {
    RecordStore<Person> people = open(COUNT_BY_KEY, BY_CITY);
    try (Transaction delete = database.begin()) {
      people.deleteWhere(delete, 3L);
      database.run(tx -> people.save(tx, Person.of(99, "Lima", 1).withScore(3)));
      assertThatThrownBy(delete::commit).isInstanceOf(ConflictException.class);
    }
    Recount.check(people.space().internals());
  }

  @Test
  void deleteOfAllRecordsLeavesNoKeyOfThem() {
    RecordStore<Person> people =
        open(
            Person.index("all", IndexKind.COUNT),
            Person.index("rank", IndexKind.RANK, "city", "age"),
            Person.index("version", IndexKind.VERSION, "city"),
            BY_CITY);
    database.run(
        tx -> {
          people.save(tx, Person.of(7, "Rome", 1).withScore(1));
          people.deleteAll(tx);
        });

    for (int part : new int[] {1, 2, 3, 9}) {
      List<KeyValue> left =
          database.read(tx -> tx.scan(Subspace.of("people", part).prefixRange()).list());
      assertThat(left).as("part %d", part).isEmpty();
    }
    assertThat(database.<Long, RuntimeException>read(people::count)).isZero();
  }

  @Test
  void prefixWithoutValuesIsRefusedAndNothingIsGone() {
    RecordStore<Person> people = open(BY_CITY);
    Object[] values = {};

    assertThatThrownBy(() -> database.run(tx -> people.deleteWhere(tx, values)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("deleteAll");
    assertThat(database.<Long, RuntimeException>read(people::count)).isEqualTo(60);
  }

  @Test
  void tooManyRecordsToDeleteOneByOneAreRefusedBeforeTheFirstIsGone() {
    RecordStore<Person> people = open(BY_CITY);
    for (int batch = 0; batch < 10; batch++) {
      long first = 1_000 + batch * 1_000L;
      database.run(
          tx -> {
            for (long id = first; id < first + 1_000; id++) {
              people.save(tx, Person.of(id, "Oslo", 1).withScore(2));
            }
          });
    }
    database.run(
        tx ->
            assertThatThrownBy(() -> people.deleteWhere(tx, 2L))
                .isInstanceOf(TooManyRecordsException.class)
                .hasMessageContaining("10,000")
                .hasMessageContaining("smaller parts"));
    assertThat(database.<Long, RuntimeException>read(people::count)).isEqualTo(10_060);
  }

  @Test
  void prefixThatIsLongerThanTheKeyIsRefused() {
    RecordStore<Person> people = open();

    assertThatThrownBy(() -> database.run(tx -> people.deleteWhere(tx, 1L, 2L, 3L)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 parts");
  }
}
