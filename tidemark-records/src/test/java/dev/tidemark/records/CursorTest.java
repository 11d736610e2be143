package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.query.BulkOptions;
import dev.tidemark.records.query.Continuation;
import dev.tidemark.records.query.Cursor;
import dev.tidemark.records.query.Explain;
import dev.tidemark.records.query.Filter;
import dev.tidemark.records.query.Query;
import dev.tidemark.records.query.QueryLimits;
import dev.tidemark.records.query.StopReason;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.junit.DatabaseExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cursors: their limits, and how they go on. */
class CursorTest {
  private static final Subspace ROOT = Subspace.of("people");

  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  private static RecordSpace space(Database database, IndexSpec... indexes) {
    return RecordSpace.open(database, Schema.of(1, List.of(Person.TYPE), List.of(indexes)), ROOT);
  }

  private static RecordStore<Person> open(Database database, IndexSpec... indexes) {
    return space(database, indexes).store(Person.TYPE);
  }

  private static void fill(
      Database database, RecordSpace space, int people, LongFunction<Person> person) {
    RecordStore<Person> store = space.store(Person.TYPE);
    for (long first = 0; first < people; first += 1_000) {
      LongStream batch = LongStream.range(first, first + 1_000);
      database.run(tx -> batch.forEach(id -> store.save(tx, person.apply(id))));
    }
  }

  private static RecordStore<Person> open(Database database, int people, IndexSpec... indexes) {
    RecordStore<Person> store = open(database, indexes);
    database.run(
        tx -> {
          for (int id = 0; id < people; id++) {
            store.save(tx, Person.of(id, id % 2 == 0 ? "Oslo" : "Lima", id % 10));
          }
        });
    return store;
  }

  private static List<Long> take(Cursor<Person> cursor) {
    List<Long> ids = new ArrayList<>();
    cursor.forEachRemaining(person -> ids.add(person.id()));
    return ids;
  }

  @Test
  void queryFindsWhatItsFilterSays(Database database) {
    RecordStore<Person> store = open(database, 20);
    Query<Person> query = store.query().where(PersonFields.CITY.eq("Oslo"), PersonFields.AGE.gt(5));

    List<Long> ids = database.read(tx -> query.list(tx).stream().map(Person::id).toList());
    long count = database.<Long, RuntimeException>read(query::count);

    assertThat(ids).containsExactlyInAnyOrder(6L, 8L, 16L, 18L);
    assertThat(count).isEqualTo(4);
  }

  @Test
  void cursorGoesOnInAnotherTransaction(Database database) {
    RecordStore<Person> store = open(database, 10);
    Query<Person> query = store.query().where(PersonFields.CITY.eq("Oslo"));
    QueryLimits page = QueryLimits.NONE.withRows(2);

    List<Long> ids = new ArrayList<>();
    Continuation at =
        database.read(
            tx -> {
              Cursor<Person> cursor = query.cursor(tx, page);
              ids.addAll(take(cursor));
              assertThat(cursor.stopReason()).isEqualTo(StopReason.ROW_LIMIT);
              return cursor.continuation();
            });
    assertThat(ids).hasSize(2);
    database.read(
        tx -> {
          Cursor<Person> cursor = query.resume(tx, QueryLimits.NONE, at);
          ids.addAll(take(cursor));
          assertThat(cursor.stopReason()).isEqualTo(StopReason.EXHAUSTED);
          return 0;
        });

    assertThat(ids).containsExactlyInAnyOrder(0L, 2L, 4L, 6L, 8L);
  }

  @Test
  void scanLimitStopsWithoutARowAndRepeatedCursorsFinish(Database database) {
    RecordStore<Person> store = open(database, 200);
    Query<Person> query = store.query().where(PersonFields.ID.ge(190L), PersonFields.AGE.ge(0));
    Query<Person> slow = query.where(PersonFields.EMAIL.like("%"));
    QueryLimits ten = QueryLimits.NONE.withScannedRows(10);

    Continuation at = null;
    List<Long> ids = new ArrayList<>();
    for (int cursors = 0; ; cursors++) {
      assertThat(cursors).as("cursors of ten rows over 200").isLessThan(40);
      Continuation from = at;
      List<Long> found = new ArrayList<>();
      StopReason[] why = new StopReason[1];
      at =
          database.read(
              tx -> {
                Cursor<Person> cursor =
                    from == null ? slow.cursor(tx, ten) : slow.resume(tx, ten, from);
                found.addAll(take(cursor));
                why[0] = cursor.stopReason();
                return cursor.continuation();
              });
      ids.addAll(found);
      if (why[0] == StopReason.EXHAUSTED) {
        break;
      }
      assertThat(why[0]).isEqualTo(StopReason.SCAN_LIMIT);
    }
    assertThat(ids).hasSize(10).doesNotHaveDuplicates();
  }

  @Test
  void continuationOfOtherValuesIsRefused(Database database) {
    RecordStore<Person> store = open(database, 10);
    Query<Person> oslo = store.query().where(PersonFields.CITY.eq("Oslo"));
    Query<Person> lima = store.query().where(PersonFields.CITY.eq("Lima"));
    Continuation at =
        database.read(
            tx -> {
              Cursor<Person> cursor = oslo.cursor(tx, QueryLimits.NONE.withRows(1));
              take(cursor);
              return cursor.continuation();
            });

    assertThatThrownBy(() -> database.read(tx -> lima.resume(tx, QueryLimits.NONE, at)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("other values");
  }

  @Test
  void continuationOfAnotherTypeIsRefused(Database database) {
    List<RecordType<DynamicRecord>> types =
        List.of("Cat", "Dog").stream()
            .map(
                name ->
                    TypeSpec.of(
                        name,
                        List.of(new FieldSpec(1, "id", FieldType.Scalar.LONG, false)),
                        List.of(1)))
            .map(DynamicRecord::type)
            .toList();
    RecordSpace space =
        RecordSpace.open(database, Schema.of(1, List.copyOf(types), List.of()), ROOT);
    Continuation at =
        database.read(
            tx ->
                space
                    .store(types.getFirst())
                    .query()
                    .cursor(tx, QueryLimits.NONE.withRows(1))
                    .continuation());
    Query<DynamicRecord> dogs = space.store(types.getLast()).query();

    assertThatThrownBy(() -> database.read(tx -> dogs.resume(tx, QueryLimits.NONE, at)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("another type");
  }

  @Test
  void limitAndOffsetCountOverAllCursorsOfAQuery(Database database) {
    RecordStore<Person> store = open(database, 20);
    Query<Person> query = store.query().orderBy(PersonFields.ID.desc()).offset(3).limit(5);
    List<Long> ids = new ArrayList<>();
    Continuation at = null;
    for (int i = 0; i < 5; i++) {
      Continuation from = at;
      at =
          database.read(
              tx -> {
                QueryLimits one = QueryLimits.NONE.withRows(1);
                Cursor<Person> cursor =
                    from == null ? query.cursor(tx, one) : query.resume(tx, one, from);
                ids.addAll(take(cursor));
                return cursor.continuation();
              });
    }

    assertThat(ids).containsExactly(16L, 15L, 14L, 13L, 12L);
    Continuation end = Objects.requireNonNull(at);
    database.read(
        tx -> {
          Cursor<Person> cursor = query.resume(tx, QueryLimits.NONE, end);
          assertThat(cursor.hasNext()).isFalse();
          assertThat(cursor.stopReason()).isEqualTo(StopReason.EXHAUSTED);
          return 0;
        });
  }

  @Test
  void streamThatContinuesByItselfReadsMoreThanAPage(Database database) {
    RecordStore<Person> store = open(database, 2_500);

    assertThat(store.query().autoContinue().map(Person::id))
        .containsExactlyElementsOf(LongStream.range(0, 2_500).boxed().toList());
    assertThat(store.query().orderBy(PersonFields.AGE.desc()).limit(5).offset(2).autoContinue())
        .hasSize(5)
        .allMatch(person -> person.age() != null && person.age() == 9);
  }

  @Test
  void cursorThatHasToSortSaysWhichLimitItMeets(Database database) {
    RecordStore<Person> store = open(database, 50);
    Query<Person> sorted = store.query().orderBy(PersonFields.EMAIL);

    assertThatThrownBy(
            () ->
                database.read(
                    tx -> sorted.cursor(tx, QueryLimits.NONE.withSorted(10, 1 << 20)).hasNext()))
        .isInstanceOf(TooManyRecordsException.class)
        .hasMessageContaining("sortedRows")
        .hasMessageContaining("(email)");
    List<Person> first =
        database.read(
            tx ->
                List.copyOf(
                    collect(sorted.limit(3).cursor(tx, QueryLimits.NONE.withSorted(10, 1 << 20)))));
    assertThat(first).hasSize(3);
  }

  @Test
  void cursorThatHasToSortAndMayNotLookAtAllRowsFailsAndNamesTheLimit(Database database) {
    RecordStore<Person> store = open(database, 50);
    Query<Person> sorted = store.query().orderBy(PersonFields.EMAIL).limit(3);

    assertThatThrownBy(
            () ->
                database.read(
                    tx -> sorted.cursor(tx, QueryLimits.NONE.withScannedRows(20)).hasNext()))
        .isInstanceOf(TooManyRecordsException.class)
        .hasMessageContaining("SCAN_LIMIT")
        .hasMessageContaining("(email)");
  }

  private static List<Person> collect(Cursor<Person> cursor) {
    List<Person> all = new ArrayList<>();
    cursor.forEachRemaining(all::add);
    return all;
  }

  @Test
  void limitBehindAFilterIsReachedWhateverTheFilterLeavesOut(Database database) {
    RecordStore<Person> store = open(database, 1_000, Person.index("age", IndexKind.VALUE, "age"));
    database.run(
        tx -> {
          for (int id = 1_000; id < 1_005; id++) {
            store.save(tx, Person.of(id, "Rome", id % 10));
          }
        });
    for (String city : List.of("Oslo", "Rome", "Nowhere")) {
      Query<Person> query =
          store
              .query()
              .where(PersonFields.CITY.eq(city))
              .using("age")
              .orderBy(PersonFields.AGE.desc(), PersonFields.ID.desc());
      List<Person> all = database.read(query::list);
      for (int limit : new int[] {1, 3, 20, 300, 5_000}) {
        int expected = Math.min(limit, all.size());
        assertThat(database.<List<Person>, RuntimeException>read(query.limit(limit)::list))
            .isEqualTo(all.subList(0, expected));
        assertThat(database.<Long, RuntimeException>read(query.limit(limit)::count))
            .isEqualTo(expected);
      }
    }
  }

  @Test
  void countOfNoRowsReadsNone(Database database) {
    RecordStore<Person> store = open(database, 10);
    try (Transaction tx = database.begin()) {
      assertThat(store.query().offset(5).limit(0).count(tx)).isZero();
      store.save(tx, Person.of(100, "Rome", 1));
      database.run(other -> store.delete(other, 3L));
      assertThatCode(tx::commit).doesNotThrowAnyException();
    }
  }

  @Test
  void explainTellsTheCostsForItsOwnValues(Database database) {
    RecordSpace space = space(database, Person.index("age", IndexKind.VALUE, "age"));
    fill(database, space, 1_000, id -> Person.of(id, "Oslo", (int) id));
    space.statistics().collect();
    Query<Person> one = space.store(Person.TYPE).query().where(PersonFields.ID.eq(1L));

    double many = costOfIndex(database, one.where(PersonFields.AGE.ge(10)));
    double few = costOfIndex(database, one.where(PersonFields.AGE.ge(990)));

    assertThat(few).isLessThan(many / 2);
  }

  private static double costOfIndex(Database database, Query<Person> query) {
    Explain explain = database.read(query::explain);
    return explain.rejected().stream()
        .filter(rejected -> rejected.plan().startsWith("index scan age"))
        .findFirst()
        .orElseThrow()
        .cost()
        .orElseThrow();
  }

  private static final int RENEWED = 8_000;

  /** A union of the last people and of those who are 7 years old in Oslo, by the rarer of both. */
  private static Query<Person> union(RecordSpace space) {
    Filter<Person> last = PersonFields.ID.ge(6_500L);
    Filter<Person> some = PersonFields.CITY.eq("Oslo").and(PersonFields.AGE.eq(7));
    return space.store(Person.TYPE).query().where(last.or(some));
  }

  private static RecordSpace spaceWithFewInOslo(Database database) {
    RecordSpace space =
        space(
            database,
            Person.index("city", IndexKind.VALUE, "city"),
            Person.index("age", IndexKind.VALUE, "age"));
    fill(database, space, RENEWED, id -> Person.of(id, id % 1_000 == 0 ? "Oslo" : "Lima", 7));
    space.statistics().collect();
    return space;
  }

  private static void moveAllToOslo(Database database, RecordSpace space) {
    fill(database, space, RENEWED, id -> Person.of(id, "Oslo", id % 1_000 == 0 ? 7 : 8));
    space.statistics().collect();
  }

  @Test
  void longReadKeepsItsPlanWhenStatisticsAreRenewed(Database database) {
    RecordSpace space = spaceWithFewInOslo(database);
    Query<Person> query = union(space);
    QueryLimits page = QueryLimits.NONE.withRows(10);
    Continuation at =
        database.read(
            tx -> {
              Cursor<Person> cursor = query.cursor(tx, page);
              take(cursor);
              return cursor.continuation();
            });
    List<Long> ids = new ArrayList<>();
    try (Stream<Person> all = query.autoContinue()) {
      Iterator<Person> people = all.iterator();
      ids.add(people.next().id());
      moveAllToOslo(database, space);
      people.forEachRemaining(person -> ids.add(person.id()));
    }
    assertThat(ids).hasSize(1_507).doesNotHaveDuplicates();
    assertThatThrownBy(() -> database.read(tx -> query.resume(tx, page, at)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("statistics were renewed");
  }

  @Test
  void deleteKeepsItsPlanWhenStatisticsAreRenewed(Database database) {
    RecordSpace space = spaceWithFewInOslo(database);
    boolean[] moved = new boolean[1];
    BulkOptions options =
        BulkOptions.DEFAULTS
            .withRowsPerTransaction(500)
            .withAfterCommit(
                progress -> {
                  if (!moved[0]) {
                    moved[0] = true;
                    moveAllToOslo(database, space);
                  }
                });
    assertThat(union(space).delete(options).done()).isTrue();
    long left = database.<Long, RuntimeException>read(space.store(Person.TYPE).query()::count);
    assertThat(left).isBetween(6_493L, 6_493L + 500);
  }

  @Test
  void explainAfterARunTellsWhatWasRead(Database database) {
    RecordStore<Person> store = open(database, 100, Person.index("age", IndexKind.VALUE, "age"));

    Explain explain =
        database.read(tx -> store.query().where(PersonFields.AGE.eq(3)).explainRun(tx));

    assertThat(explain.plan().actual())
        .hasValueSatisfying(
            actual -> {
              assertThat(actual.rows()).isEqualTo(10);
              assertThat(actual.keys()).isEqualTo(20);
            });
  }

  @Test
  void timeLimitStopsBeforeTheTransactionIsTooOldAndPastThatTheQueryThrows() {
    ManualTime time = ManualTime.standing();
    try (Database database = EmbeddedDatabase.inMemory(options -> options.withTime(time))) {
      RecordStore<Person> store = open(database, 5_000);
      Query<Person> query = store.query();
      QueryLimits twoSeconds = QueryLimits.NONE.withTime(Duration.ofSeconds(2));
      Continuation at;
      List<Long> ids = new ArrayList<>();
      try (Transaction tx = database.begin()) {
        Cursor<Person> cursor = query.cursor(tx, twoSeconds);
        ids.add(cursor.next().id());
        time.advance(Duration.ofSeconds(3));
        ids.addAll(take(cursor));
        assertThat(cursor.stopReason()).isEqualTo(StopReason.TIME_LIMIT);
        at = cursor.continuation();
      }
      assertThat(ids).hasSizeLessThan(5_000);
      ids.addAll(database.read(tx -> take(query.resume(tx, QueryLimits.NONE, at))));
      assertThat(ids).isEqualTo(LongStream.range(0, 5_000).boxed().toList());

      try (Transaction tx = database.begin()) {
        Cursor<Person> cursor = query.cursor(tx, QueryLimits.NONE);
        cursor.next();
        time.advance(Duration.ofSeconds(6));
        assertThatThrownBy(() -> take(cursor)).isInstanceOf(TransactionTooOldException.class);
      }
    }
  }
}
