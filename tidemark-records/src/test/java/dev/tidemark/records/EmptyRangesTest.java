package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.query.Continuation;
import dev.tidemark.records.query.Cursor;
import dev.tidemark.records.query.Query;
import dev.tidemark.records.query.QueryLimits;
import dev.tidemark.records.query.Row;
import dev.tidemark.records.query.Selection;
import dev.tidemark.records.query.StopReason;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.testkit.junit.DatabaseExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Limits hold where a cursor looks into many ranges and finds nothing in them. */
class EmptyRangesTest {
  private static final int CITIES = 1_000;
  private static final QueryLimits TWENTY = QueryLimits.NONE.withScannedRows(20);

  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  private RecordStore<Person> store;

  @BeforeEach
  void fill(Database database) {
    IndexSpec index = Person.index("city_age", IndexKind.VALUE, "city", "age");
    Schema schema = Schema.of(1, List.of(Person.TYPE), List.of(index));
    store = RecordSpace.open(database, schema, Subspace.of("people")).store(Person.TYPE);
    database.run(
        tx -> LongStream.range(0, CITIES).forEach(id -> store.save(tx, person(id, (int) id % 50))));
  }

  private static Person person(long id, int age) {
    return Person.of(id, "city %04d".formatted(id), age);
  }

  /** What the cursors of a query found, and how many they were. */
  private record Found<T>(List<T> rows, int cursors) {}

  /** Opens a cursor at a place; null for the beginning. */
  private interface Opener<T> {
    Cursor<T> open(ReadTransaction tx, @Nullable Continuation from);
  }

  private static Found<Long> ids(Database database, Query<Person> query) {
    Found<Person> people =
        readAll(
            database,
            (tx, from) -> from == null ? query.cursor(tx, TWENTY) : query.resume(tx, TWENTY, from));
    return new Found<>(people.rows().stream().map(Person::id).toList(), people.cursors());
  }

  private static <T> Found<T> readAll(Database database, Opener<T> opener) {
    List<T> rows = new ArrayList<>();
    @Nullable Continuation at = null;
    for (int cursors = 1; ; cursors++) {
      assertThat(cursors).as("cursors of twenty rows").isLessThan(CITIES);
      @Nullable Continuation from = at;
      Cursor<T> read =
          database.read(
              tx -> {
                Cursor<T> cursor = opener.open(tx, from);
                cursor.forEachRemaining(rows::add);
                return cursor;
              });
      if (read.stopReason() == StopReason.EXHAUSTED) {
        return new Found<>(rows, cursors);
      }
      assertThat(read.stopReason()).isEqualTo(StopReason.SCAN_LIMIT);
      at = read.continuation();
    }
  }

  private Query<Person> olderThan(int age, boolean reverse) {
    Query<Person> query = store.query().where(PersonFields.AGE.gt(age)).using("city_age");
    return reverse
        ? query.orderBy(PersonFields.CITY.desc(), PersonFields.AGE.desc())
        : query.orderBy(PersonFields.CITY, PersonFields.AGE);
  }

  @Test
  void skipScanThatFindsNothingStopsAndGetsOn(Database database) {
    for (boolean reverse : new boolean[] {false, true}) {
      Query<Person> query = olderThan(200, reverse);
      assertThat(database.read(query::explain).toString()).contains("skip");

      Found<Long> found = ids(database, query);

      assertThat(found.rows()).isEmpty();
      assertThat(found.cursors()).isBetween(CITIES / 20, CITIES / 5);
    }
  }

  @Test
  void coveringSkipScanThatFindsNothingStopsAndGetsOn(Database database) {
    for (boolean reverse : new boolean[] {false, true}) {
      Selection<Person, Row> query = olderThan(200, reverse).select(PersonFields.AGE);
      assertThat(database.read(query::explain).toString()).contains("covering skip scan");

      Found<Row> found =
          readAll(
              database,
              (tx, from) ->
                  from == null ? query.cursor(tx, TWENTY) : query.resume(tx, TWENTY, from));

      assertThat(found.rows()).isEmpty();
      assertThat(found.cursors()).isBetween(CITIES / 20, CITIES / 5);
    }
  }

  @Test
  void skipScanFindsWhatIsBetweenEmptyRanges(Database database) {
    List<Long> expected = LongStream.range(0, CITIES).filter(id -> id % 50 > 45).boxed().toList();

    assertThat(ids(database, olderThan(45, false)).rows()).isEqualTo(expected);
    assertThat(ids(database, olderThan(45, true)).rows()).isEqualTo(expected.reversed());
  }

  @Test
  void rangeThatIsEmptyForEveryPrefixIsNotLookedFor(Database database) {
    Query<Person> query = olderThan(200, false).where(PersonFields.AGE.lt(100));

    assertThat(ids(database, query)).isEqualTo(new Found<>(List.of(), 1));
  }

  @Test
  void primaryKeysThatDoNotExistCountToo(Database database) {
    List<Long> ids = LongStream.range(CITIES - 10, CITIES + 300).boxed().toList();
    Query<Person> query = store.query().where(PersonFields.ID.in(ids));

    Found<Long> found = ids(database, query);

    assertThat(found.rows()).isEqualTo(ids.subList(0, 10));
    assertThat(found.cursors()).isBetween(15, 17);
  }
}
