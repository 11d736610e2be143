package dev.tidemark.records;

import static dev.tidemark.records.PersonFields.AGE;
import static dev.tidemark.records.PersonFields.CITY;
import static dev.tidemark.records.PersonFields.SCORE;
import static dev.tidemark.records.PersonFields.WEIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.query.Aggregate;
import dev.tidemark.records.query.Field;
import dev.tidemark.records.query.Grouping;
import dev.tidemark.records.query.Query;
import dev.tidemark.records.query.Row;
import dev.tidemark.records.schema.IndexFilter;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.ZeroGroups;
import dev.tidemark.testkit.junit.SeedSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Groups from aggregate indexes are the groups that records have. */
class GroupPropertyTest {
  private static final List<Field<Person, ?>> GROUPS = List.of(CITY, SCORE, AGE);

  private static List<IndexSpec> indexes() {
    List<IndexSpec> all = new ArrayList<>();
    all.add(
        Person.index("count", IndexKind.COUNT, "city", "score").withZeroGroups(ZeroGroups.KEEP));
    all.add(Person.index("count_age", IndexKind.COUNT, "score", "age"));
    all.add(Person.index("ages", IndexKind.COUNT_NOT_NULL, "city", "score", "age"));
    all.add(Person.index("sum", IndexKind.SUM, "city", "score", "age"));
    all.add(Person.index("min", IndexKind.MIN, "city", "score", "age"));
    all.add(Person.index("max", IndexKind.MAX, "city", "weight"));
    all.add(Person.index("average", IndexKind.AVERAGE, "city", "score", "age"));
    all.add(
        Person.index("adults", IndexKind.COUNT, "city")
            .withFilter(IndexFilter.parse(Person.SPEC, "age >= 18")));
    return all;
  }

  private static RecordStore<Person> store(
      Database database, String name, List<IndexSpec> indexes) {
    return RecordSpace.open(
            database,
            People.schema(Person.TYPE, indexes.toArray(IndexSpec[]::new)),
            Subspace.of(name))
        .store(Person.TYPE);
  }

  private static Grouping<Person> random(SplittableRandom random, Query<Person> query) {
    Query<Person> narrowed = query;
    if (random.nextInt(3) == 0) {
      narrowed = narrowed.where(random.nextInt(4) == 0 ? CITY.isNull() : CITY.eq("Oslo"));
    }
    if (random.nextInt(4) == 0) {
      narrowed = narrowed.where(SCORE.eq((long) random.nextInt(4)));
    }
    if (random.nextInt(4) == 0) {
      narrowed = narrowed.where(AGE.ge(18));
    }
    List<Field<Person, ?>> groups = new ArrayList<>();
    GROUPS.stream().filter(field -> random.nextInt(3) == 0).forEach(groups::add);
    List<Aggregate<Person, ?>> all =
        List.of(
            Aggregate.count(),
            Aggregate.count(AGE),
            Aggregate.sum(AGE),
            Aggregate.min(AGE),
            Aggregate.max(WEIGHT),
            Aggregate.avg(AGE));
    Grouping<Person> grouping =
        groupBy(narrowed, groups).select(all.get(random.nextInt(all.size())));
    return random.nextBoolean() ? grouping : grouping.select(all.get(random.nextInt(all.size())));
  }

  private static Grouping<Person> groupBy(Query<Person> query, List<Field<Person, ?>> groups) {
    return switch (groups.size()) {
      case 0 -> query.groupBy();
      case 1 -> query.groupBy(groups.getFirst());
      case 2 -> query.groupBy(groups.getFirst(), groups.getLast());
      default -> query.groupBy(groups.getFirst(), groups.get(1), groups.getLast());
    };
  }

  private static List<List<@Nullable Object>> rows(Database database, Grouping<Person> grouping) {
    return database.read(tx -> grouping.list(tx).stream().map(Row::values).toList());
  }

  @Test
  void columnThatIsNamedTwiceAndTheLargestLimitAreFine() {
    try (Database database = EmbeddedDatabase.inMemory()) {
      RecordStore<Person> store = store(database, "indexed", indexes());
      database.run(
          tx -> {
            store.save(tx, Person.of(1, "Lima", 20).withScore(1));
            store.save(tx, Person.of(2, "Oslo", 30).withScore(1));
            store.save(tx, Person.of(3, "Oslo", 40).withScore(2));
          });
      Grouping<Person> twice = store.query().groupBy(CITY, CITY).select(Aggregate.count());

      assertThat(rows(database, twice))
          .containsExactly(List.of("Lima", "Lima", 1L), List.of("Oslo", "Oslo", 2L));
      assertThat(rows(database, twice.offset(1).limit(Long.MAX_VALUE)))
          .containsExactly(List.of("Oslo", "Oslo", 2L));
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 10)
  void indexesSayWhatTheRecordsSay(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    try (Database database = EmbeddedDatabase.inMemory()) {
      RecordStore<Person> indexed = store(database, "indexed", indexes());
      RecordStore<Person> plain = store(database, "plain", List.of());
      for (int i = 0; i < 60; i++) {
        Person person = People.random(random, 30).withEmail(null);
        boolean delete = random.nextInt(3) == 0;
        database.run(
            tx -> {
              for (RecordStore<Person> store : List.of(indexed, plain)) {
                if (delete) {
                  store.delete(tx, person.id());
                } else {
                  store.save(tx, person);
                }
              }
            });
      }
      for (int i = 0; i < 60; i++) {
        long query = random.nextLong();
        Grouping<Person> one = random(new SplittableRandom(query), indexed.query());
        Grouping<Person> other = random(new SplittableRandom(query), plain.query());
        assertThat(rows(database, one)).as("%s", one).isEqualTo(rows(database, other));
      }
    }
  }
}
