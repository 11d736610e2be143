package dev.tidemark.records;

import static dev.tidemark.records.PersonFields.AGE;
import static dev.tidemark.records.PersonFields.CITY;
import static dev.tidemark.records.PersonFields.ID;
import static dev.tidemark.records.PersonFields.SCORE;
import static dev.tidemark.records.PersonFields.TAGS;
import static dev.tidemark.records.Shelf.NAME;
import static dev.tidemark.records.Shelf.NUMBER;
import static dev.tidemark.records.Shelf.REFERENCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.query.Aggregate;
import dev.tidemark.records.query.Explain;
import dev.tidemark.records.query.Filter;
import dev.tidemark.records.query.Join;
import dev.tidemark.records.query.Pair;
import dev.tidemark.records.query.Query;
import dev.tidemark.records.query.Row;
import dev.tidemark.records.query.Table;
import dev.tidemark.records.query.TextField;
import dev.tidemark.records.query.TextQuery;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.testkit.Guide;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The examples of docs/queries.md. */
@Timeout(60)
class QueriesGuideTest {
  /** What a step costs is a guess in microseconds, and a better guess does not change the guide. */
  private static final Pattern COSTS = Pattern.compile("cost[s]? [\\d.,]+\\d");

  private static final TextField<Person> NOTE = PersonFields.EMAIL;

  private record CityAndAge(@Nullable String city, @Nullable Integer age) {}

  @Test
  void examplesAboutOneTypeDoWhatTheGuideSays() {
    try (Database db = EmbeddedDatabase.inMemory()) {
      Schema schema =
          Schema.of(
              1,
              List.of(Person.TYPE),
              List.of(
                  Person.index("age", IndexKind.VALUE, "city", "age"),
                  Person.index("words", IndexKind.TEXT, "email"),
                  Person.index("places", IndexKind.RANK, "score")));
      RecordStore<Person> people =
          RecordSpace.open(db, schema, Subspace.of("people")).store(Person.TYPE);
      db.run(
          tx -> {
            people.save(tx, Person.of(1, "Tokyo", 30).withTags("vip"));
            people.save(tx, Person.of(2, "Tokyo", 40).withEmail("The quick brown fox"));
            people.save(tx, Person.of(3, "Oslo", 30).withEmail("A bear, not quick, but brown"));
            people.save(tx, Person.of(4, null, 30));
          });
      try (Transaction tx = db.begin()) {
        filters(tx, people);
        forms(tx, people);
      }
    }
  }

  /** 100,000 people, a tenth of them in Tokyo, and a tenth of those from 25 to 35 years old. */
  @Test
  void plannerTakesTheIndexThatTheGuideExplains() {
    try (Database db = EmbeddedDatabase.inMemory()) {
      Schema schema =
          Schema.of(
              1,
              List.of(Person.TYPE),
              List.of(
                  Person.index("person_by_city", IndexKind.VALUE, "city"),
                  Person.index("person_by_city_age", IndexKind.VALUE, "city", "age")));
      RecordSpace space = RecordSpace.open(db, schema, Subspace.of("people"));
      RecordStore<Person> people = space.store(Person.TYPE);
      for (int first = 0; first < 100_000; first += 1_000) {
        LongStream batch = LongStream.range(first, first + 1_000);
        db.run(tx -> batch.forEach(id -> people.save(tx, citizen(id))));
      }
      space.statistics().collect();
      try (Transaction tx = db.begin()) {
        planned(tx, people);
      }
    }
  }

  private static Person citizen(long id) {
    String city = id % 10 == 0 ? "Tokyo" : "city-" + id % 10;
    return Person.of(id, city, (int) (id / 10 % 110));
  }

  private static void planned(Transaction tx, RecordStore<Person> people) {
    Query<Person> query = people.query().where(CITY.eq("Tokyo"), AGE.between(25, 35));
    String explained = query.explain(tx).toString();
    Guide.read("docs/queries.md").part("## Plans").showsOutput(explained, COSTS);

    Explain.Node plan = query.explainRun(tx).plan();
    assertThat(plan.index()).contains("person_by_city_age");
    assertThat(plan.actual().orElseThrow().rows()).isEqualTo(1_001);
  }

  private static void filters(Transaction tx, RecordStore<Person> people) {
    List<Person> some =
        people
            .query()
            .where(CITY.eq("Tokyo"), AGE.between(25, 35))
            .orderBy(AGE.desc(), ID)
            .limit(20)
            .list(tx);
    assertThat(some).extracting(Person::id).containsExactly(1L);

    Filter<Person> elsewhere = CITY.eq("Tokyo").not().or(CITY.isNull());
    Filter<Person> tagged = TAGS.contains("vip").and(CITY.startsWith("To"));
    assertThat(people.query().where(elsewhere).count(tx)).isEqualTo(2);
    assertThat(people.query().where(tagged).count(tx)).isEqualTo(1);

    Filter<Person> animals = NOTE.matches(TextQuery.any("fox bear"));
    Filter<Person> others = NOTE.matches(TextQuery.phrase("quick brown")).not();
    assertThat(people.query().where(animals).count(tx)).isEqualTo(2);
    assertThat(people.query().where(others).count(tx)).isEqualTo(3);
  }

  private static void forms(Transaction tx, RecordStore<Person> people) {
    List<CityAndAge> pairs = people.query().select(CITY, AGE, CityAndAge::new).distinct().list(tx);
    List<Row> rows = people.query().where(AGE.gt(30)).select(ID, CITY).list(tx);
    String city = rows.getFirst().get(CITY);
    assertThat(pairs).hasSize(4).contains(new CityAndAge("Tokyo", 40));
    assertThat(city).isEqualTo("Tokyo");

    List<Person> page = people.query().orderBy(SCORE.desc()).offset(5_000).limit(10).list(tx);
    assertThat(page).isEmpty();

    Aggregate<Person, Long> count = Aggregate.count();
    List<Row> cities =
        people
            .query()
            .groupBy(CITY)
            .select(count, Aggregate.avg(AGE))
            .having(count.ge(2L))
            .orderBy(count.desc())
            .list(tx);
    Optional<Integer> oldest = people.query().where(CITY.eq("Tokyo")).max(tx, AGE);
    assertThat(cities).hasSize(1);
    assertThat(cities.getFirst().values()).containsExactly("Tokyo", 2L, 35.0);
    assertThat(oldest).hasValue(40);
  }

  @Test
  void examplesAboutTwoTypesDoWhatTheGuideSays() {
    try (Database db = EmbeddedDatabase.inMemory()) {
      Shelf shelf = new Shelf(db);
      shelf.fill(db);
      try (Transaction tx = db.begin()) {
        twoTypes(tx, shelf.space, shelf.orders, shelf.customers);
      }
    }
  }

  private static void twoTypes(
      Transaction tx,
      RecordSpace space,
      RecordStore<DynamicRecord> orders,
      RecordStore<DynamicRecord> customers) {
    Join<Pair<DynamicRecord, DynamicRecord>> join =
        orders.query().orderBy(NUMBER).join(REFERENCE, customers.query().where(NAME.ne("Cy")));
    assertThat(join.list(tx)).hasSize(3);

    Table table = space.sql(tx, "SELECT customer, COUNT(*) FROM Order GROUP BY customer");
    assertThat(table.rows()).hasSize(4);

    Table some = space.sql(tx, "SELECT number FROM Order WHERE customer = ? LIMIT ?", 3L, 20);
    assertThat(some.rows()).hasSize(2);
  }

  @Test
  void guideShowsCodeThatRuns() {
    Guide.read("docs/queries.md")
        .showsCodeOf(
            12, "tidemark-records/src/test/java/dev/tidemark/records/QueriesGuideTest.java");
  }
}
