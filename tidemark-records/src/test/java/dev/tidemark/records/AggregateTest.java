package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.internal.GivenState;
import dev.tidemark.records.internal.format.Header.IndexInfo;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.maintenance.OnlineIndexer;
import dev.tidemark.records.query.Group;
import dev.tidemark.records.query.IndexRange;
import dev.tidemark.records.query.Query;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.ZeroGroups;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What indexes say about groups of records. */
class AggregateTest {
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

  private void delete(RecordStore<Person> people, long id) {
    database.run(tx -> people.delete(tx, id));
  }

  private Object ask(Function<ReadTransaction, Object> question) {
    return database.read(question::apply);
  }

  private List<Group> groups(RecordStore<Person> people, String index, Object... prefix) {
    return database.read(tx -> people.groups(tx, index, prefix).toList());
  }

  private static Group group(Object key, Object value) {
    return new Group(List.of(key), value);
  }

  @Test
  void groupWithoutRecordsIsNotListed() {
    RecordStore<Person> people =
        open(
            Person.index("count", IndexKind.COUNT, "city"),
            Person.index("kept", IndexKind.COUNT, "city").withZeroGroups(ZeroGroups.KEEP));
    save(people, Person.of(1, "Oslo", 1), Person.of(2, "Lima", 1));
    delete(people, 1);

    assertThat(ask(tx -> people.count(tx, "count", "Oslo"))).isEqualTo(0L);
    assertThat(groups(people, "count")).containsExactly(group("Lima", 1L));
    assertThat(groups(people, "kept")).containsExactly(group("Lima", 1L), group("Oslo", 0L));
  }

  @Test
  void ungroupedCountLeavesNoKeyAtZero() {
    RecordStore<Person> people = open(Person.index("all", IndexKind.COUNT));
    save(people, Person.of(1, "Oslo", 1));
    assertThat(ask(tx -> people.count(tx, "all"))).isEqualTo(1L);
    assertThat(ask(people::count)).isEqualTo(1L);

    delete(people, 1);
    assertThat(ask(people::count)).isEqualTo(0L);
    List<KeyValue> left =
        database.read(tx -> tx.scan(Subspace.of("people", 2).prefixRange()).list());
    assertThat(left).isEmpty();
  }

  @Test
  void recordsAreCountedWithoutAnIndexToo() {
    RecordStore<Person> people = open();
    save(people, Person.of(1, "Oslo", 1), Person.of(2, "Oslo", 1));

    assertThat(ask(people::count)).isEqualTo(2L);
  }

  @Test
  void nullIsAGroupOfItsOwn() {
    RecordStore<Person> people = open(Person.index("count", IndexKind.COUNT, "city"));
    save(people, Person.of(1, null, 1), Person.of(2, null, 1), Person.of(3, "Oslo", 1));

    assertThat(ask(tx -> people.count(tx, "count", (Object) null))).isEqualTo(2L);
    assertThat(groups(people, "count"))
        .containsExactly(new Group(Arrays.asList((Object) null), 2L), group("Oslo", 1L));
  }

  @Test
  void recordCountsOnceInAGroupHoweverOftenItHasTheElement() {
    RecordStore<Person> people =
        open(
            Person.index("tags", IndexKind.COUNT, "tags"),
            Person.index("updates", IndexKind.COUNT_UPDATES, "tags"),
            Person.index("tagged", IndexKind.COUNT_NOT_NULL, "city", "tags"));
    save(people, Person.of(1, "Oslo", 1).withTags("a", "b", "a"), Person.of(2, "Oslo", 1));
    assertThat(groups(people, "tags")).containsExactly(group("a", 1L), group("b", 1L));
    assertThat(groups(people, "updates")).containsExactly(group("a", 1L), group("b", 1L));
    assertThat(groups(people, "tagged")).containsExactly(group("Oslo", 1L));

    save(people, Person.of(2, "Oslo", 1).withTags("a", "a"));
    assertThat(groups(people, "tags")).containsExactly(group("a", 2L), group("b", 1L));
    save(people, Person.of(1, "Oslo", 1).withTags("a"));
    assertThat(groups(people, "tags")).containsExactly(group("a", 2L));
  }

  @Test
  void onlyValuesThatAreThereAreCounted() {
    RecordStore<Person> people =
        open(Person.index("aged", IndexKind.COUNT_NOT_NULL, "city", "age"));
    save(people, Person.of(1, "Oslo", null), Person.of(2, "Oslo", 4), Person.of(3, "Lima", null));
    assertThat(groups(people, "aged")).containsExactly(group("Oslo", 1L));

    save(people, Person.of(1, "Oslo", 0), Person.of(2, "Oslo", null), Person.of(3, "Lima", 1));
    assertThat(groups(people, "aged")).containsExactly(group("Lima", 1L), group("Oslo", 1L));
  }

  @Test
  void everySaveIsAnUpdateAndNoDeleteIs() {
    RecordStore<Person> people = open(Person.index("updates", IndexKind.COUNT_UPDATES, "city"));
    save(people, Person.of(1, "Oslo", 1), Person.of(2, "Lima", 1));
    save(people, Person.of(1, "Oslo", 1));
    save(people, Person.of(1, "Lima", 1));
    delete(people, 2);

    assertThat(groups(people, "updates")).containsExactly(group("Lima", 2L), group("Oslo", 2L));
  }

  @Test
  void sumTakesNegativesAndPassesOverNulls() {
    RecordStore<Person> people = open(Person.index("sum", IndexKind.SUM, "city", "age"));
    save(
        people,
        Person.of(1, "Oslo", 10),
        Person.of(2, "Oslo", -30),
        Person.of(3, "Oslo", null),
        Person.of(4, "Lima", null));
    assertThat(ask(tx -> people.sum(tx, "sum", "Oslo"))).isEqualTo(-20L);
    assertThat(ask(tx -> people.sum(tx, "sum", "Lima"))).isEqualTo(0L);
    assertThat(groups(people, "sum")).containsExactly(group("Oslo", -20L));

    save(people, Person.of(2, "Oslo", -10), Person.of(4, "Lima", 7));
    assertThat(groups(people, "sum")).containsExactly(group("Lima", 7L), group("Oslo", 0L));
  }

  @Test
  void sumBeyondALongIsRefusedByAnIndexAsByALookAtTheRecords() {
    RecordStore<Person> people =
        open(
            Person.index("sum", IndexKind.SUM, "city", "score"),
            Person.index("average", IndexKind.AVERAGE, "score"));
    save(
        people,
        Person.of(1, "Oslo", 1).withScore(Long.MAX_VALUE),
        Person.of(2, "Oslo", 1).withScore(Long.MAX_VALUE),
        Person.of(3, "Lima", 1).withScore(Long.MIN_VALUE),
        Person.of(4, "Lima", 1).withScore(Long.MIN_VALUE));
    Query<Person> oslo = people.query().where(PersonFields.CITY.eq("Oslo"));
    Query<Person> looked =
        people.query().where(PersonFields.CITY.eq("Oslo").and(PersonFields.AGE.eq(1)));

    for (Function<ReadTransaction, Object> sum :
        List.<Function<ReadTransaction, Object>>of(
            tx -> people.sum(tx, "sum", "Oslo"),
            tx -> people.groups(tx, "sum").toList(),
            tx -> oslo.sum(tx, PersonFields.SCORE),
            tx -> looked.sum(tx, PersonFields.SCORE))) {
      assertThatThrownBy(() -> ask(sum))
          .isInstanceOf(ArithmeticException.class)
          .hasMessageContaining("beyond the range of a long");
    }
    assertThatThrownBy(() -> ask(tx -> people.sum(tx, "sum", "Lima")))
        .hasMessageContaining("-18,446,744,073,709,551,616");
    assertThat(ask(tx -> people.rollUp(tx, "sum"))).isEqualTo(Optional.of(-2L));
    assertThat(ask(tx -> people.average(tx, "average"))).isEqualTo(OptionalDouble.of(-0.5));

    delete(people, 1);
    delete(people, 3);
    assertThat(groups(people, "sum"))
        .containsExactly(group("Lima", Long.MIN_VALUE), group("Oslo", Long.MAX_VALUE));
  }

  @Test
  void sumsOfAnEarlierBuildStayAsTheyAreUntilTheyAreBuiltAnew() {
    RecordStore<Person> people = open(Person.index("sum", IndexKind.SUM, "score"));
    Space space = people.space().internals();
    database.run(tx -> space.change(tx, space.state(tx).header().with("sum", AggregateTest::old)));
    save(people, Person.of(1, "Oslo", 1).withScore(-3), Person.of(2, "Oslo", 1).withScore(1));
    assertThat(ask(tx -> people.sum(tx, "sum"))).isEqualTo(-2L);
    assertThat(sumBytes(space)).isEqualTo(Long.BYTES);

    database.run(tx -> people.space().indexes().disable(tx, "sum"));
    OnlineIndexer.of(people.space(), o -> o.withIndexes("sum")).build();
    assertThat(ask(tx -> people.sum(tx, "sum"))).isEqualTo(-2L);
    assertThat(sumBytes(space)).isEqualTo(2 * Long.BYTES);
  }

  private static IndexInfo old(IndexInfo info) {
    return new IndexInfo(info.id(), info.state(), info.since(), 0);
  }

  private int sumBytes(Space space) {
    return database.read(
        tx -> tx.get(space.state(tx).indexKeys("sum").entries().prefix()).orElseThrow().length);
  }

  @Test
  void averageOfAQueryIsThatOfAnIndexBeyondTheRangeOfALong() {
    RecordStore<Person> people = open(Person.index("average", IndexKind.AVERAGE, "score"));
    save(
        people,
        Person.of(1, "Oslo", 1).withScore(Long.MAX_VALUE),
        Person.of(2, "Oslo", 1).withScore(Long.MAX_VALUE - 4),
        Person.of(3, "Oslo", 1).withScore(Long.MAX_VALUE));
    Query<Person> computed = people.query().where(PersonFields.AGE.eq(1));

    assertThat(ask(tx -> computed.avg(tx, PersonFields.SCORE)))
        .isEqualTo(ask(tx -> people.average(tx, "average")))
        .isEqualTo(OptionalDouble.of((double) Long.MAX_VALUE));
  }

  @Test
  void fractionsCannotBeSummed() {
    assertThatThrownBy(() -> open(Person.index("sum", IndexKind.SUM, "city", "weight")))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("'sum'")
        .hasMessageContaining("cents");
  }

  @Test
  void averageIsThatOfTheRecordsThatThereAre() {
    RecordStore<Person> people = open(Person.index("average", IndexKind.AVERAGE, "city", "age"));
    save(
        people,
        Person.of(1, "Oslo", -3),
        Person.of(2, "Oslo", -4),
        Person.of(3, "Oslo", null),
        Person.of(4, "Lima", 9));
    assertThat(ask(tx -> people.average(tx, "average", "Oslo"))).isEqualTo(OptionalDouble.of(-3.5));
    assertThat(ask(tx -> people.rollUp(tx, "average"))).isEqualTo(Optional.of(2.0 / 3));

    delete(people, 1);
    delete(people, 2);
    assertThat(ask(tx -> people.average(tx, "average", "Oslo"))).isEqualTo(OptionalDouble.empty());
    assertThat(groups(people, "average")).containsExactly(group("Lima", 9.0));
  }

  @Test
  void deletedMinimumGivesWayToTheNext() {
    RecordStore<Person> people =
        open(
            Person.index("min", IndexKind.MIN, "city", "age"),
            Person.index("max", IndexKind.MAX, "city", "age"));
    save(
        people,
        Person.of(1, "Oslo", 10),
        Person.of(2, "Oslo", 20),
        Person.of(3, "Oslo", 30),
        Person.of(4, "Oslo", null),
        Person.of(5, "Lima", -5));
    delete(people, 1);
    assertThat(ask(tx -> people.min(tx, "min", "Oslo"))).isEqualTo(Optional.of(20));
    delete(people, 3);
    assertThat(ask(tx -> people.max(tx, "max", "Oslo"))).isEqualTo(Optional.of(20));
    assertThat(groups(people, "min")).containsExactly(group("Lima", -5), group("Oslo", 20));
    assertThat(groups(people, "max")).containsExactly(group("Lima", -5), group("Oslo", 20));
    assertThat(ask(tx -> people.rollUp(tx, "min"))).isEqualTo(Optional.of(-5));
    assertThat(ask(tx -> people.rollUp(tx, "max"))).isEqualTo(Optional.of(20));

    delete(people, 2);
    assertThat(ask(tx -> people.min(tx, "min", "Oslo"))).isEqualTo(Optional.empty());
    assertThat(ask(tx -> people.max(tx, "max", "Oslo"))).isEqualTo(Optional.empty());
  }

  @Test
  void extremesOfFractionsAreExact() {
    RecordStore<Person> people =
        open(
            Person.index("min", IndexKind.MIN, "weight"),
            Person.index("ever", IndexKind.MAX_EVER, "weight"));
    Person light = new Person(1, null, null, null, 0, -0.1, List.of(), null, null);
    Person heavy = new Person(2, null, null, null, 0, 70.30000000000001, List.of(), null, null);
    save(people, light, heavy);

    assertThat(ask(tx -> people.min(tx, "min"))).isEqualTo(Optional.of(-0.1));
    assertThat(ask(tx -> people.max(tx, "ever"))).isEqualTo(Optional.of(70.30000000000001));
  }

  @Test
  void extremesThatEverWereSurviveDeletes() {
    RecordStore<Person> people =
        open(
            Person.index("min", IndexKind.MIN_EVER, "city", "age"),
            Person.index("max", IndexKind.MAX_EVER, "city", "age"));
    save(people, Person.of(1, "Oslo", null), Person.of(2, "Oslo", -7), Person.of(3, "Oslo", 300));
    delete(people, 2);
    delete(people, 3);
    database.run(tx -> people.deleteAll(tx));
    save(people, Person.of(4, "Oslo", 5));

    assertThat(ask(tx -> people.min(tx, "min", "Oslo"))).isEqualTo(Optional.of(-7));
    assertThat(ask(tx -> people.max(tx, "max", "Oslo"))).isEqualTo(Optional.of(300));
    assertThat(ask(tx -> people.max(tx, "max", "Lima"))).isEqualTo(Optional.empty());
  }

  @Test
  void groupsWithACommonBeginningAreRolledUp() {
    RecordStore<Person> people =
        open(
            Person.index("count", IndexKind.COUNT, "city", "age"),
            Person.index("sum", IndexKind.SUM, "city", "age", "score"));
    save(
        people,
        Person.of(1, "Oslo", 1),
        Person.of(2, "Oslo", 2),
        Person.of(3, "Oslo", 2),
        Person.of(4, "Lima", 2));

    assertThat(ask(tx -> people.rollUp(tx, "count", "Oslo"))).isEqualTo(Optional.of(3L));
    assertThat(ask(tx -> people.rollUp(tx, "count"))).isEqualTo(Optional.of(4L));
    assertThat(ask(tx -> people.rollUp(tx, "count", "Rome"))).isEqualTo(Optional.of(0L));
    assertThat(ask(tx -> people.rollUp(tx, "sum", "Oslo"))).isEqualTo(Optional.of(60L));
    assertThat(groups(people, "count", "Oslo"))
        .containsExactly(new Group(List.of("Oslo", 1), 1L), new Group(List.of("Oslo", 2), 2L));
    assertThat(ask(tx -> people.aggregate(tx, "sum", "Oslo", 2))).isEqualTo(Optional.of(50L));
  }

  @Test
  void tooFewOrTooManyGroupingValuesAreExplained() {
    RecordStore<Person> people =
        open(Person.index("amount_min_by_country_region", IndexKind.MIN, "city", "email", "age"));

    assertThatThrownBy(() -> ask(tx -> people.min(tx, "amount_min_by_country_region", "USA")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            """
            Grouping values count (1) does not match expected count (2) for index 'amount_min_by_country_region'
            Expected grouping fields: [city, email]
            Value field: age
            Provided values: ["USA"]
            Missing: [email]""");
    assertThatThrownBy(
            () -> ask(tx -> people.min(tx, "amount_min_by_country_region", "USA", "East", "Extra")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            """
            Grouping values count (3) does not match expected count (2) for index 'amount_min_by_country_region'
            Expected grouping fields: [city, email]
            Value field: age
            Provided values: ["USA", "East", "Extra"]
            Extra values: ["Extra"]""");
  }

  @Test
  void countsHaveNoValueFieldInTheExplanation() {
    RecordStore<Person> people = open(Person.index("count", IndexKind.COUNT, "city", "age"));

    assertThatThrownBy(() -> ask(tx -> people.count(tx, "count")))
        .hasMessage(
            """
            Grouping values count (0) does not match expected count (2) for index 'count'
            Expected grouping fields: [city, age]
            Provided values: []
            Missing: [city, age]""");
  }

  @Test
  void unknownIndexAndWrongKindAreNamed() {
    RecordStore<Person> people =
        open(
            Person.index("city", IndexKind.VALUE, "city"),
            Person.index("count", IndexKind.COUNT, "city"));

    assertThatThrownBy(() -> ask(tx -> people.count(tx, "towns", "Oslo")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'towns'")
        .hasMessageContaining("[city, count]");
    assertThatThrownBy(() -> ask(tx -> people.sum(tx, "count", "Oslo")))
        .hasMessage(
            "The index 'count' is of kind COUNT; this is answered by indexes of kind [SUM]");
    assertThatThrownBy(() -> ask(tx -> people.aggregate(tx, "city", "Oslo")))
        .hasMessageContaining("VALUE");
    assertThatThrownBy(() -> ask(tx -> people.scanIndex(tx, "count", IndexRange.ALL).toList()))
        .hasMessageContaining("groups");
    assertThatThrownBy(() -> ask(tx -> people.rank(tx, "city", 1L))).hasMessageContaining("RANK");
  }

  @ParameterizedTest
  @EnumSource(
      value = IndexState.class,
      names = {"DISABLED", "WRITE_ONLY"})
  void indexThatCannotBeReadIsNamedWithItsState(IndexState state) {
    RecordStore<Person> people = open(Person.index("count", IndexKind.COUNT, "city"));
    GivenState.set(people.space().internals(), "count", state);

    assertThatThrownBy(() -> ask(tx -> people.count(tx, "count", "Oslo")))
        .isInstanceOfSatisfying(
            IndexStateException.class,
            refused -> {
              assertThat(refused.index()).isEqualTo("count");
              assertThat(refused.state()).isEqualTo(state);
            })
        .hasMessageContaining("'count'")
        .hasMessageContaining(state.name());
  }

  @Test
  void ownWritesAreInTheTotals() {
    RecordStore<Person> people =
        open(
            Person.index("count", IndexKind.COUNT, "city"),
            Person.index("max", IndexKind.MAX, "city", "age"));
    database.run(
        tx -> {
          people.save(tx, Person.of(1, "Oslo", 5));
          people.save(tx, Person.of(2, "Oslo", 6));
          assertThat(people.count(tx, "count", "Oslo")).isEqualTo(2);
          assertThat(people.max(tx, "max", "Oslo")).isEqualTo(Optional.of(6));
        });
    Key bare = Subspace.of("people", 2, 2).pack("Oslo");
    assertThat(database.<Optional<byte[]>, RuntimeException>read(tx -> tx.get(bare)))
        .contains(new byte[] {2, 0, 0, 0, 0, 0, 0, 0});
  }
}
