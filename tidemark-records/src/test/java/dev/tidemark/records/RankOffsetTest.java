package dev.tidemark.records;

import static dev.tidemark.records.PersonFields.AGE;
import static dev.tidemark.records.PersonFields.CITY;
import static dev.tidemark.records.PersonFields.ID;
import static dev.tidemark.records.PersonFields.SCORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.query.Continuation;
import dev.tidemark.records.query.Cursor;
import dev.tidemark.records.query.Explain;
import dev.tidemark.records.query.Query;
import dev.tidemark.records.query.QueryLimits;
import dev.tidemark.records.query.StopReason;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.Schema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Offsets and counts that an index of kind RANK answers by counting. */
class RankOffsetTest {
  private static final int PEOPLE = 3_000;

  /** What it takes to find a place, and a page of entries and records behind it. */
  private static final long FEW_KEYS = 400;

  private static final String BY_RANK = " by rank";

  private final Database database = EmbeddedDatabase.inMemory();
  private final List<Person> all = new ArrayList<>();
  private final RecordStore<Person> people =
      RecordSpace.open(
              database,
              Schema.of(
                  1,
                  List.of(Person.TYPE),
                  List.of(
                      Person.index("rank", IndexKind.RANK, "score"),
                      Person.index("rank_city", IndexKind.RANK, "city", "score"))),
              Subspace.of("people"))
          .store(Person.TYPE);

  @BeforeEach
  void fill() {
    SplittableRandom random = new SplittableRandom(1);
    for (long id = 0; id < PEOPLE; id++) {
      String city = random.nextInt(3) == 0 ? "Oslo" : "Bern";
      all.add(Person.of(id, city, (int) (id % 50)).withScore(random.nextInt(500)));
    }
    for (int from = 0; from < PEOPLE; from += 500) {
      List<Person> batch = all.subList(from, from + 500);
      database.run(tx -> batch.forEach(person -> people.save(tx, person)));
    }
  }

  @AfterEach
  void close() {
    database.close();
  }

  /** Equal scores are in the order of the primary key, or its reverse. */
  private List<Long> expected(Predicate<Person> wanted, boolean descending, int offset, int limit) {
    Comparator<Person> order =
        Comparator.comparingLong(Person::score).thenComparingLong(Person::id);
    return all.stream()
        .filter(wanted)
        .sorted(descending ? order.reversed() : order)
        .skip(offset)
        .limit(limit)
        .map(Person::id)
        .toList();
  }

  private void check(Query<Person> query, List<Long> expected) {
    Explain run = database.read(query::explainRun);
    assertThat(run.toString()).contains(BY_RANK);
    assertThat(run.plan().actual().orElseThrow().keys()).isLessThan(FEW_KEYS);
    assertThat(ids(database.read(query::list))).isEqualTo(expected);
  }

  private static List<Long> ids(List<Person> found) {
    return found.stream().map(Person::id).toList();
  }

  @Test
  void offsetIsCountedInBothDirections() {
    Query<Person> query = people.query().offset(2_000).limit(10);
    check(query.orderBy(SCORE), expected(person -> true, false, 2_000, 10));
    check(query.orderBy(SCORE.desc()), expected(person -> true, true, 2_000, 10));
    check(query.orderBy(SCORE.desc(), ID.desc()), expected(person -> true, true, 2_000, 10));
  }

  @Test
  void offsetIsCountedWithinAGroupAndWithinBounds() {
    Predicate<Person> inOslo = person -> "Oslo".equals(person.city());
    check(
        people.query().where(CITY.eq("Oslo")).orderBy(SCORE.desc()).offset(700).limit(10),
        expected(inOslo, true, 700, 10));
    check(
        people.query().where(CITY.eq("Oslo"), SCORE.gt(99L)).orderBy(SCORE).offset(300).limit(10),
        expected(inOslo.and(person -> person.score() > 99), false, 300, 10));
    check(
        people
            .query()
            .where(SCORE.between(100L, 399L))
            .orderBy(SCORE.desc())
            .offset(1_500)
            .limit(10),
        expected(person -> person.score() >= 100 && person.score() < 400, true, 1_500, 10));
  }

  @Test
  void offsetBehindTheLastRecordLeavesNothing() {
    check(people.query().orderBy(SCORE).offset(PEOPLE + 1).limit(10), List.of());
    check(people.query().orderBy(SCORE.desc()).offset(PEOPLE).limit(10), List.of());
  }

  @Test
  void rowsThatAFilterHidesAreNotCounted() {
    Query<Person> query = people.query().where(AGE.lt(25)).orderBy(SCORE).offset(1_000).limit(10);
    assertThat(database.read(query::explain).toString()).doesNotContain(BY_RANK);
    Predicate<Person> young = person -> person.age() != null && person.age() < 25;
    assertThat(ids(database.read(query::list))).isEqualTo(expected(young, false, 1_000, 10));
  }

  /** A jump is made in each range, so that many of them cost more than to read. */
  @Test
  void offsetInSeveralGroupsIsRead() {
    Query<Person> query = people.query().where(CITY.in("Oslo", "Bern")).using("rank_city");
    assertThat(database.read(query.offset(1_500).limit(10)::explain).toString())
        .doesNotContain(BY_RANK);
    assertThat(ids(database.read(query.offset(1_500)::list)))
        .isEqualTo(ids(database.read(query::list)).subList(1_500, PEOPLE));
  }

  @Test
  void pagesGoOnBehindWhatWasLeftOut() {
    Query<Person> query = people.query().orderBy(SCORE.desc()).offset(1_234).limit(100);
    QueryLimits page = QueryLimits.NONE.withRows(7).withScannedRows(20);
    List<Long> found = new ArrayList<>();
    @Nullable Continuation at = null;
    boolean more = true;
    while (more) {
      try (Transaction tx = database.begin()) {
        Cursor<Person> cursor = at == null ? query.cursor(tx, page) : query.resume(tx, page, at);
        cursor.forEachRemaining(person -> found.add(person.id()));
        at = cursor.continuation();
        more = cursor.stopReason() != StopReason.EXHAUSTED;
      }
    }
    assertThat(found).isEqualTo(expected(person -> true, true, 1_234, 100));
  }

  @Test
  void placesAreThoseThatTheTransactionHasWritten() {
    database.run(
        tx -> {
          for (Person person : all.subList(0, 100)) {
            people.save(tx, person.withScore(1_000));
          }
          List<Person> behind = people.query().orderBy(SCORE).offset(PEOPLE - 100).list(tx);
          assertThat(behind).hasSize(100).allMatch(person -> person.score() == 1_000);
        });
  }

  /** Whether a transaction that reads {@code query} commits though {@code change} came between. */
  private boolean commitsBeside(Query<Person> query, Consumer<Transaction> change) {
    try (Transaction tx = database.begin()) {
      assertThat(query.list(tx)).isNotEmpty();
      tx.set(Subspace.of("other").pack(1), new byte[0]);
      database.run(change::accept);
      tx.commit();
      return true;
    } catch (ConflictException conflict) {
      return false;
    }
  }

  @Test
  void onlyWhoChangesWhatWasLeftOutOrReadConflictsWithThePage() {
    Query<Person> page = people.query().offset(1_000).limit(10);
    Query<Person> up = page.orderBy(SCORE);
    Query<Person> down = page.orderBy(SCORE.desc());
    assertThat(database.read(up::explain).toString()).contains(BY_RANK);
    long id = PEOPLE;
    for (int i = 0; i < 50; i++) {
      Person low = Person.of(id++, "Oslo", 1).withScore(i);
      Person high = Person.of(id++, "Oslo", 1).withScore(499 - i);
      assertThat(commitsBeside(up, tx -> people.save(tx, high))).isTrue();
      assertThat(commitsBeside(up, tx -> people.save(tx, low))).isFalse();
      assertThat(commitsBeside(down, tx -> people.delete(tx, low.id()))).isTrue();
      assertThat(commitsBeside(down, tx -> people.delete(tx, high.id()))).isFalse();
    }
  }

  @Test
  void countOfARangeConflictsWithAllOfItAndNothingElse() {
    Query<Person> some = people.query().where(SCORE.between(100L, 399L)).orderBy(SCORE).offset(250);
    assertThat(database.read(some::explain).toString()).contains(BY_RANK);
    for (int score : new int[] {99, 100, 399, 400}) {
      Person one = Person.of(PEOPLE + score, "Oslo", 1).withScore(score);
      try (Transaction tx = database.begin()) {
        assertThat(some.count(tx)).isPositive();
        tx.set(Subspace.of("other").pack(1), new byte[0]);
        database.run(other -> people.save(other, one));
        if (score < 100 || score > 399) {
          assertThatCode(tx::commit).doesNotThrowAnyException();
        } else {
          assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
        }
      }
    }
  }

  @Test
  void recordsBetweenBoundsAreCountedByTheirPlaces() {
    Query<Person> some = people.query().where(SCORE.between(100L, 399L));
    long expected = all.stream().filter(one -> one.score() >= 100 && one.score() < 400).count();
    assertThat(database.<Long, RuntimeException>read(some::count)).isEqualTo(expected);
    assertThat(database.<Long, RuntimeException>read(some.offset(5)::count))
        .isEqualTo(expected - 5);
    assertThat(database.<Long, RuntimeException>read(some.offset(900).limit(300)::count))
        .isEqualTo(Math.min(300, expected - 900));
  }

  @Test
  void fewAreReadInsteadOfCounted() {
    Query<Person> query = people.query().orderBy(SCORE).offset(20).limit(10);
    assertThat(database.read(query::explain).toString())
        .startsWith("index scan rank ")
        .doesNotContain(BY_RANK);
    assertThat(ids(database.read(query::list))).isEqualTo(expected(one -> true, false, 20, 10));
  }

  @Test
  void recordsThatAreLeftOutAreNotLoaded() {
    Query<Person> query = people.query().orderBy(SCORE).offset(150).limit(10);
    Explain.Actual actual = database.read(query::explainRun).plan().actual().orElseThrow();
    assertThat(actual.keys()).isEqualTo(160 + 10);
    assertThat(actual.rows()).isEqualTo(160);
  }
}
