package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.Recount;
import dev.tidemark.records.query.IndexEntry;
import dev.tidemark.records.query.IndexRange;
import dev.tidemark.records.schema.IndexFilter;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What VALUE indexes hold, refuse and answer. */
class ValueIndexTest {
  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();

  @AfterEach
  void close() {
    database.close();
  }

  private RecordStore<Person> open(IndexSpec... indexes) {
    return RecordSpace.open(database, People.schema(Person.TYPE, indexes), Subspace.of("people"))
        .store(Person.TYPE);
  }

  private void save(RecordStore<Person> people, Person... all) {
    database.run(tx -> Arrays.asList(all).forEach(person -> people.save(tx, person)));
  }

  private List<Tuple> keys(RecordStore<Person> people, String index) {
    return database.read(
        tx ->
            people
                .scanIndex(tx, index, IndexRange.ALL)
                .map(entry -> Tuple.of(entry.columns().toArray()).concat(entry.primaryKey()))
                .toList());
  }

  private List<Person> people(RecordStore<Person> people, String index, IndexRange range) {
    return database.read(tx -> people.scanBy(tx, index, range).toList());
  }

  private static List<Person> crowd() {
    SplittableRandom random = new SplittableRandom(8);
    List<Person> crowd = new ArrayList<>();
    for (long id = 0; id < 1_000; id++) {
      Person person = People.random(random, 1_000);
      crowd.add(
          Person.of(id, person.city(), person.age())
              .withEmail(id % 9 == 0 ? null : "m" + id % 37 + "\0" + id));
    }
    return crowd;
  }

  @Test
  void rangesWithinAGroupEqualAFilteredScanBoundariesIncluded() {
    RecordStore<Person> people = open(Person.index("city_age", IndexKind.VALUE, "city", "age"));
    save(people, crowd().toArray(Person[]::new));

    assertSame(people, IndexRange.of("Oslo").from(25).to(35), age -> age >= 25 && age <= 35);
    assertSame(people, IndexRange.of("Oslo").after(25).before(35), age -> age > 25 && age < 35);
    assertSame(people, IndexRange.of("Oslo").from(25), age -> age >= 25);
    assertSame(people, IndexRange.of("Oslo").before(30), age -> age < 30);
    assertSame(people, IndexRange.of("Oslo").to(30), age -> age <= 30);
    assertSame(people, IndexRange.of("Oslo").notNull(), age -> true);
    assertSame(people, IndexRange.of("Oslo").from(35).to(25), age -> false);
    assertSame(people, IndexRange.of("Oslo").after(Integer.MAX_VALUE - 1), age -> false);
    assertSame(people, IndexRange.of("Oslo").after(Integer.MIN_VALUE), age -> true);
  }

  @Test
  void limitedRangeHasTheFirstEntriesOfTheRangeInEitherDirection() {
    RecordStore<Person> people = open(Person.index("city_age", IndexKind.VALUE, "city", "age"));
    save(people, crowd().toArray(Person[]::new));
    IndexRange range = IndexRange.of("Oslo").from(25);
    List<Person> all = people(people, "city_age", range);

    assertThat(people(people, "city_age", range.limit(1))).isEqualTo(all.subList(0, 1));
    assertThat(people(people, "city_age", range.limit(20))).isEqualTo(all.subList(0, 20));
    assertThat(people(people, "city_age", range.limit(1_000_000))).isEqualTo(all);
    assertThat(people(people, "city_age", range.reversed().limit(20)))
        .isEqualTo(all.reversed().subList(0, 20));
    List<IndexEntry> entries =
        database.read(tx -> people.scanIndex(tx, "city_age", range.limit(7)).toList());
    assertThat(entries).hasSize(7);
    assertThatThrownBy(() -> range.limit(-1)).hasMessageContaining("limit is -1");
  }

  /** People from Oslo with an age that fits, in the order of age, and in both directions. */
  private void assertSame(RecordStore<Person> people, IndexRange range, Predicate<Integer> fits) {
    List<Person> expected =
        crowd().stream()
            .filter(person -> "Oslo".equals(person.city()))
            .filter(person -> person.age() != null && fits.test(person.age()))
            .sorted(Comparator.comparing(Person::age).thenComparingLong(Person::id))
            .toList();
    assertThat(people(people, "city_age", range)).as("%s", range).isEqualTo(expected);
    assertThat(people(people, "city_age", range.reversed()))
        .as("%s", range)
        .isEqualTo(expected.reversed());
  }

  @Test
  void textsAreComparedWholeAndByTheirBeginning() {
    RecordStore<Person> people =
        open(
            Person.index("email", IndexKind.VALUE, "email"),
            People.descending("email_desc", IndexKind.VALUE, "email"));
    save(people, crowd().toArray(Person[]::new));

    for (String index : List.of("email", "email_desc")) {
      assertEmails(people, index, IndexRange.of().startingWith("m3"), e -> e.startsWith("m3"));
      assertEmails(people, index, IndexRange.of().startingWith("m3\0"), e -> e.startsWith("m3\0"));
      assertEmails(people, index, IndexRange.of().startingWith(""), e -> true);
      assertEmails(people, index, IndexRange.of().to("zzz"), e -> e.compareTo("zzz") <= 0);
      assertEmails(people, index, IndexRange.of().to("m3"), e -> e.compareTo("m3") <= 0);
      assertEmails(people, index, IndexRange.of().after("m3"), e -> e.compareTo("m3") > 0);
      assertEmails(
          people,
          index,
          IndexRange.of().from("m12\000012").before("m30"),
          e -> e.compareTo("m12\000012") >= 0 && e.compareTo("m30") < 0);
    }
  }

  private void assertEmails(
      RecordStore<Person> people, String index, IndexRange range, Predicate<String> fits) {
    assertThat(people(people, index, range))
        .as("%s by %s", range, index)
        .containsExactlyInAnyOrderElementsOf(
            crowd().stream()
                .filter(person -> person.email() != null && fits.test(person.email()))
                .toList());
  }

  @Test
  void nullsComeFirstAndMatchOnlyThemselves() {
    RecordStore<Person> people =
        open(
            Person.index("age", IndexKind.VALUE, "age"),
            People.descending("age_desc", IndexKind.VALUE, "age"));
    Person none = Person.of(1, "Lima", null);
    Person young = Person.of(2, "Lima", 20);
    Person old = Person.of(3, "Lima", 60);
    save(people, none, young, old);

    assertThat(people(people, "age", IndexRange.ALL)).containsExactly(none, young, old);
    assertThat(people(people, "age", IndexRange.of((Object) null))).containsExactly(none);
    assertThat(people(people, "age", IndexRange.ALL.before(30))).containsExactly(young);
    assertThat(people(people, "age_desc", IndexRange.ALL)).containsExactly(old, young, none);
    assertThat(people(people, "age_desc", IndexRange.of((Object) null))).containsExactly(none);
    assertThat(people(people, "age_desc", IndexRange.ALL.before(30))).containsExactly(young);
    assertThat(people(people, "age_desc", IndexRange.ALL.from(20))).containsExactly(old, young);
    assertThat(people(people, "age_desc", IndexRange.ALL.after(20).to(60))).containsExactly(old);
    assertThat(people(people, "age_desc", IndexRange.ALL.notNull())).containsExactly(old, young);
  }

  @Test
  void changedFieldMovesItsEntry() {
    RecordStore<Person> people = open(Person.index("city", IndexKind.VALUE, "city"));
    save(people, Person.of(1, "Oslo", 1));
    save(people, Person.of(1, "Lima", 1));

    assertThat(keys(people, "city")).containsExactly(Tuple.of("Lima", 1));
  }

  @Test
  void eachElementOfAListHasOneEntry() {
    RecordStore<Person> people = open(Person.index("tags", IndexKind.VALUE, "tags"));
    save(people, Person.of(1, "Oslo", 1).withTags("b", "a", "b"), Person.of(2, "Oslo", 1));
    save(people, Person.of(3, "Oslo", 1).withTags("a"));
    assertThat(keys(people, "tags"))
        .containsExactly(Tuple.of("a", 1), Tuple.of("a", 3), Tuple.of("b", 1));

    save(people, Person.of(1, "Oslo", 1).withTags("c", "b"));
    assertThat(keys(people, "tags"))
        .containsExactly(Tuple.of("a", 3), Tuple.of("b", 1), Tuple.of("c", 1));
  }

  @Test
  void filteredIndexHoldsRecordsWhileTheyFit() {
    IndexFilter adults =
        new IndexFilter(
            List.of(
                new IndexFilter.Comparison(Person.column("age"), IndexFilter.Operator.GE, 18L)));
    RecordStore<Person> people =
        open(Person.index("adults", IndexKind.VALUE, "city").withFilter(adults));
    save(people, Person.of(1, "Oslo", 18), Person.of(2, "Oslo", 17), Person.of(3, "Oslo", null));
    assertThat(keys(people, "adults")).containsExactly(Tuple.of("Oslo", 1));

    save(people, Person.of(1, "Oslo", 17), Person.of(2, "Oslo", 18));
    assertThat(keys(people, "adults")).containsExactly(Tuple.of("Oslo", 2));
  }

  @Test
  void coveredFieldsAreReadWithoutTheRecord() {
    RecordStore<Person> people =
        open(
            Person.index("city", IndexKind.VALUE, "city")
                .withCovering(List.of(Person.column("score"), Person.column("age"))));
    save(people, Person.of(1, "Oslo", 30));
    save(people, Person.of(1, "Oslo", 31).withScore(7));
    Key records = Subspace.of("people", 1).prefix();
    database.run(tx -> tx.clear(KeyRange.startingWith(records)));

    List<IndexEntry> entries =
        database.read(tx -> people.scanIndex(tx, "city", IndexRange.ALL).toList());
    assertThat(entries)
        .containsExactly(new IndexEntry(List.of("Oslo"), List.of(7L, 31), Tuple.of(1)));
  }

  @Test
  void primaryKeyAmongTheColumnsIsNotRepeated() {
    RecordStore<Person> people =
        open(
            Person.index("id_city", IndexKind.VALUE, "id", "city"),
            Person.index("min_id", IndexKind.MIN, "city", "id"));
    save(people, Person.of(7, "Oslo", 30));

    List<Key> stored =
        database.read(
            tx ->
                tx.scan(Subspace.of("people", 2).prefixRange()).stream()
                    .map(row -> row.key())
                    .toList());
    assertThat(stored)
        .containsExactly(
            Subspace.of("people", 2, 2).pack(7, "Oslo"),
            Subspace.of("people", 2, 3).pack("Oslo", 7));
    assertThat(people(people, "id_city", IndexRange.of(7)))
        .containsExactly(Person.of(7, "Oslo", 30));
    assertThat(people(people, "min_id", IndexRange.of("Oslo")))
        .containsExactly(Person.of(7, "Oslo", 30));
  }

  @Test
  void duplicateInOneTransactionIsRefusedAndTheTransactionGoesOn() {
    RecordStore<Person> people =
        open(
            Person.index("email", IndexKind.VALUE, "email").asUnique(false),
            Person.index("count", IndexKind.COUNT));
    database.run(
        tx -> {
          people.save(tx, Person.of(1, "Oslo", 1).withEmail("x"));
          assertThatThrownBy(() -> people.save(tx, Person.of(2, "Oslo", 1).withEmail("x")))
              .isInstanceOf(UniquenessException.class)
              .hasMessageContaining("'email'")
              .hasMessageContaining("(1)")
              .hasMessageContaining("(2)");
          people.save(tx, Person.of(1, "Lima", 1).withEmail("x"));
          people.save(tx, Person.of(3, "Lima", 1).withEmail("y"));
        });
    assertThat(keys(people, "email")).containsExactly(Tuple.of("x", 1), Tuple.of("y", 3));
    assertThat(database.<Long, RuntimeException>read(tx -> people.count(tx))).isEqualTo(2);
    Recount.check(people.space().internals());
  }

  @Test
  void oneOfTwoTransactionsThatTakeTheSameValueSurvives() {
    RecordStore<Person> people =
        open(Person.index("email", IndexKind.VALUE, "email").asUnique(false));
    try (Transaction one = database.begin();
        Transaction two = database.begin()) {
      people.save(one, Person.of(1, "Oslo", 1).withEmail("x"));
      people.save(two, Person.of(2, "Oslo", 1).withEmail("x"));
      one.commit();
      assertThatThrownBy(two::commit).isInstanceOf(ConflictException.class);
    }
    assertThat(keys(people, "email")).containsExactly(Tuple.of("x", 1));
  }

  @Test
  void nullsAreNotEqualUnlessTheIndexSaysSo() {
    RecordStore<Person> people =
        open(Person.index("email", IndexKind.VALUE, "email", "age").asUnique(false));
    save(people, Person.of(1, "Oslo", 5).withEmail(null), Person.of(2, "Oslo", 5).withEmail(null));
    assertThat(keys(people, "email")).hasSize(2);

    RecordStore<Person> strict =
        RecordSpace.open(
                database,
                People.schema(
                    Person.TYPE, Person.index("email", IndexKind.VALUE, "email").asUnique(true)),
                Subspace.of("strict"))
            .store(Person.TYPE);
    save(strict, Person.of(1, "Oslo", 5).withEmail(null));
    assertThatThrownBy(() -> save(strict, Person.of(2, "Oslo", 5).withEmail(null)))
        .isInstanceOf(UniquenessException.class);
  }

  @Test
  void descendingUniqueColumnTakesManyNulls() {
    IndexSpec unique = People.descending("age", IndexKind.VALUE, "age").asUnique(false);
    RecordStore<Person> people = open(unique);
    save(people, Person.of(1, "Oslo", null), Person.of(2, "Oslo", null), Person.of(3, "Oslo", 4));

    assertThatThrownBy(() -> save(people, Person.of(4, "Oslo", 4)))
        .isInstanceOf(UniquenessException.class);
  }

  @Test
  void valueOfTheWrongTypeIsRefusedByColumnAndIndex() {
    RecordStore<Person> people = open(Person.index("city_age", IndexKind.VALUE, "city", "age"));

    assertThatThrownBy(() -> people(people, "city_age", IndexRange.of(5)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'city'")
        .hasMessageContaining("'city_age'")
        .hasMessageContaining("java.lang.Integer");
    assertThatThrownBy(() -> people(people, "city_age", IndexRange.of("Oslo").from(2.5)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> people(people, "city_age", IndexRange.of("Oslo", 1).from(2)))
        .hasMessageContaining("2 columns");
  }

  @Test
  void coveringValueBeyondTheLimitIsRefusedAndNothingIsWritten() {
    RecordStore<Person> people =
        open(
            Person.index("age", IndexKind.VALUE, "age")
                .withCovering(List.of(Person.column("email"))));
    save(people, Person.of(1, "Oslo", 5));

    assertThatThrownBy(() -> save(people, Person.of(1, "Oslo", 5).withEmail("x".repeat(100_001))))
        .isInstanceOf(RecordTooLargeException.class)
        .hasMessageContaining("'age'")
        .hasMessageContaining("value");
    assertThat(people(people, "age", IndexRange.ALL)).containsExactly(Person.of(1, "Oslo", 5));
  }
}
