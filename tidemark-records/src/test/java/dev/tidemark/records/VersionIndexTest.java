package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.UnreadableKeyException;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.internal.Recount;
import dev.tidemark.records.query.IndexEntry;
import dev.tidemark.records.query.IndexRange;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.testkit.decorate.ForwardingTransaction;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Records in the order of the commits that saved them last. */
class VersionIndexTest {
  private final Database database = open();
  private final RecordStore<Person> people =
      RecordSpace.open(
              database,
              People.schema(
                  People.VERSIONED,
                  Person.index("version", IndexKind.VERSION),
                  Person.index("version_city", IndexKind.VERSION, "city")),
              Subspace.of("people"))
          .store(People.VERSIONED);

  /** Another store, for those who run these tests on it. */
  Database open() {
    return TestStores.inMemory();
  }

  @AfterEach
  void close() {
    database.close();
  }

  private void save(Person... all) {
    database.run(tx -> Arrays.asList(all).forEach(person -> people.save(tx, person)));
  }

  private List<Long> ids(String index, IndexRange range) {
    return database.read(tx -> people.scanBy(tx, index, range).map(Person::id).toList());
  }

  @Test
  void recordsComeInTheOrderOfTheirLastSaves() {
    save(Person.of(1, "Oslo", 1), Person.of(3, "Lima", 1), Person.of(2, "Oslo", 1));
    save(Person.of(4, "Oslo", 1));
    assertThat(ids("version", IndexRange.ALL)).containsExactly(1L, 3L, 2L, 4L);

    save(Person.of(3, "Lima", 1));
    save(Person.of(1, "Lima", 1));
    assertThat(ids("version", IndexRange.ALL)).containsExactly(2L, 4L, 3L, 1L);
    assertThat(ids("version_city", IndexRange.of("Lima"))).containsExactly(3L, 1L);
    assertThat(ids("version_city", IndexRange.of("Oslo"))).containsExactly(2L, 4L);
  }

  @Test
  void whatWasSavedSinceAVersionIsFound() {
    save(Person.of(1, "Oslo", 1), Person.of(2, "Oslo", 1));
    Versionstamp seen = database.read(tx -> people.version(tx, 2L).orElseThrow());
    save(Person.of(3, "Oslo", 1));
    save(Person.of(1, "Oslo", 2));

    assertThat(ids("version", IndexRange.ALL.after(seen))).containsExactly(3L, 1L);
    assertThat(ids("version", IndexRange.ALL.from(seen))).containsExactly(2L, 3L, 1L);
    List<IndexEntry> last =
        database.read(
            tx -> people.scanIndex(tx, "version", IndexRange.ALL.reversed()).limit(1).toList());
    Versionstamp own = database.read(tx -> people.version(tx, 1L).orElseThrow());
    assertThat(last.getFirst().columns()).isEqualTo(List.of(own));
  }

  @Test
  void twoSpacesAtOnePlaceGiveTheSavesOfATransactionDifferentVersions() {
    RecordStore<Person> again =
        RecordSpace.open(
                database,
                People.schema(
                    People.VERSIONED,
                    Person.index("version", IndexKind.VERSION),
                    Person.index("version_city", IndexKind.VERSION, "city")),
                Subspace.of("people"))
            .store(People.VERSIONED);
    database.run(
        tx -> {
          people.save(tx, Person.of(2, "Oslo", 1));
          again.save(tx, Person.of(1, "Oslo", 1));
          people.save(tx, Person.of(3, "Oslo", 1));
        });

    assertThat(ids("version", IndexRange.ALL)).containsExactly(2L, 1L, 3L);
  }

  @Test
  void savesThroughAWrapperOfTheTransactionHaveVersionsOfTheirOwn() {
    database.run(
        tx -> {
          Transaction wrapped = new ForwardingTransaction(tx) {};
          people.save(tx, Person.of(2, "Oslo", 1));
          people.save(wrapped, Person.of(1, "Oslo", 1));
          people.save(tx, Person.of(3, "Oslo", 1));
        });

    assertThat(ids("version", IndexRange.ALL)).containsExactly(2L, 1L, 3L);
  }

  @Test
  void recordSavedTwiceInATransactionHasOneEntry() {
    save(Person.of(1, "Oslo", 1), Person.of(5, "Oslo", 5));
    save(
        Person.of(2, "Oslo", 1),
        Person.of(1, "Oslo", 2),
        Person.of(3, "Oslo", 1),
        Person.of(1, "Oslo", 3),
        Person.of(2, "Lima", 1));

    assertThat(ids("version", IndexRange.ALL)).containsExactly(5L, 3L, 1L, 2L);
    assertThat(ids("version_city", IndexRange.of("Oslo"))).containsExactly(5L, 3L, 1L);
    Recount.check(people.space().internals());
  }

  @Test
  void recordSavedAndDeletedInATransactionHasNoEntry() {
    save(Person.of(5, "Oslo", 5));
    database.run(
        tx -> {
          people.save(tx, Person.of(1, "Oslo", 1));
          people.save(tx, Person.of(2, "Oslo", 1));
          people.delete(tx, 1L);
          people.save(tx, Person.of(5, "Oslo", 1));
          people.delete(tx, 5L);
          people.save(tx, Person.of(5, "Oslo", 2));
        });

    assertThat(ids("version", IndexRange.ALL)).containsExactly(2L, 5L);
    Recount.check(people.space().internals());
  }

  @Test
  void entryTakenBackDoesNotTakeThatOfAnotherTransactionWithIt() {
    try (Transaction one = database.begin();
        Transaction two = database.begin()) {
      people.save(one, Person.of(1, "Oslo", 1));
      people.save(two, Person.of(2, "Oslo", 1));
      two.commit();
      people.save(one, Person.of(1, "Oslo", 2));
      one.commit();
    }
    assertThat(ids("version_city", IndexRange.of("Oslo"))).containsExactly(2L, 1L);
  }

  @Test
  void savesOfDifferentRecordsDoNotConflict() {
    try (Transaction one = database.begin();
        Transaction two = database.begin()) {
      people.save(one, Person.of(1, "Oslo", 1));
      people.save(two, Person.of(2, "Oslo", 1));
      two.commit();
      one.commit();
    }
    assertThat(ids("version", IndexRange.ALL)).containsExactly(2L, 1L);
  }

  @Test
  void twoSavesThatChangeNothingLeaveOneEntry() {
    save(Person.of(1, "Oslo", 1));
    try (Transaction one = database.begin();
        Transaction two = database.begin()) {
      people.save(one, Person.of(1, "Oslo", 1));
      people.save(two, Person.of(1, "Oslo", 1));
      two.commit();
      assertThatThrownBy(one::commit).isInstanceOf(ConflictException.class);
    }
    assertThat(ids("version", IndexRange.ALL)).containsExactly(1L);
  }

  @Test
  void ownEntriesCannotBeReadBeforeTheCommit() {
    save(Person.of(1, "Oslo", 1));
    try (Transaction tx = database.begin()) {
      people.save(tx, Person.of(2, "Oslo", 1));
      assertThat(people.scanBy(tx, "version", IndexRange.ALL.limit(1)).map(Person::id))
          .containsExactly(1L);
      assertThat(people.scanBy(tx, "version_city", IndexRange.of("Lima"))).isEmpty();
      assertThatThrownBy(() -> people.scanBy(tx, "version", IndexRange.ALL).toList())
          .isInstanceOf(UnreadableKeyException.class);
      assertThatThrownBy(() -> people.scanBy(tx, "version", IndexRange.ALL.reversed()).findFirst())
          .isInstanceOf(UnreadableKeyException.class);
    }
  }

  @Test
  void scanInATransactionThatHasSavedSeesItsRecords() {
    database.run(
        tx -> {
          people.save(tx, Person.of(1, "Oslo", 1));
          assertThat(people.scan(tx).toList()).containsExactly(Person.of(1, "Oslo", 1));
        });
  }
}
