package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.internal.IndexContents;
import dev.tidemark.records.maintenance.BuildProgress;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.maintenance.OnlineIndexer;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.Schema;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** A store of people with indexes that tests build, break and compare. */
final class BuildFixture {
  static final String BY_CITY = "person_by_city";
  static final String BY_CITY_COVERING = "person_by_city_age";
  static final String BY_TAG = "person_by_tag";
  static final String EMAIL = "person_email";
  static final String COUNT = "person_count";
  static final String COUNT_BY_CITY = "person_count_by_city";

  static final Schema SCHEMA =
      Schema.of(
          1,
          List.of(Person.TYPE),
          List.of(
              Person.index(BY_CITY, IndexKind.VALUE, "city"),
              Person.index(BY_CITY_COVERING, IndexKind.VALUE, "city", "age")
                  .withCovering(List.of(Person.column("score"))),
              Person.index(BY_TAG, IndexKind.VALUE, "tags"),
              Person.index(EMAIL, IndexKind.VALUE, "email").asUnique(false),
              Person.index(COUNT, IndexKind.COUNT),
              Person.index(COUNT_BY_CITY, IndexKind.COUNT, "city")));

  private static final Subspace ROOT = Subspace.of("people");
  private static final int RECORDS_PER_TRANSACTION = 500;

  final Database database;
  final RecordSpace space;
  final RecordStore<Person> people;

  BuildFixture(Database database) {
    this.database = database;
    this.space = RecordSpace.open(database, SCHEMA, ROOT);
    this.people = space.store(Person.TYPE);
  }

  static String city(long number) {
    return "city-" + number % 7;
  }

  /** Saves people with the numbers from 0 on; every tenth one is in no city. */
  void fill(int count) {
    for (long from = 0; from < count; from += RECORDS_PER_TRANSACTION) {
      long first = from;
      long end = Math.min(count, from + RECORDS_PER_TRANSACTION);
      database.run(tx -> LongStream.range(first, end).forEach(id -> people.save(tx, person(id))));
    }
  }

  static Person person(long id) {
    return Person.of(id, id % 10 == 0 ? null : city(id), (int) (id % 50))
        .withTags("t" + id % 3, "t" + id % 5);
  }

  void disable(String... indexes) {
    database.run(tx -> List.of(indexes).forEach(index -> space.indexes().disable(tx, index)));
  }

  IndexState state(String index) {
    return database.read(tx -> space.indexes().state(tx, index));
  }

  BuildProgress build(String... indexes) {
    try (OnlineIndexer indexer = OnlineIndexer.of(space, o -> o.withIndexes(indexes))) {
      return indexer.build();
    }
  }

  /** One thing that a writer may do to one of the people with numbers below {@code count}. */
  void change(SplittableRandom random, int count) {
    long id = random.nextInt(count);
    switch (random.nextInt(4)) {
      case 0 -> database.run(tx -> people.delete(tx, id));
      case 1 -> database.run(tx -> people.save(tx, person(id).withCity(city(random.nextInt(9)))));
      case 2 -> database.run(tx -> people.save(tx, person(id).withTags("t" + random.nextInt(9))));
      default ->
          database.run(
              tx -> {
                long other = random.nextInt(count);
                people
                    .load(tx, id)
                    .ifPresent(found -> people.save(tx, found.withCity(city(other))));
                people.delete(tx, other);
              });
    }
  }

  /** Every index in {@code indexes} holds what it would hold if all records were saved anew. */
  void assertRight(String... indexes) {
    List<Person> records = database.read(tx -> people.scan(tx).toList());
    try (Database fresh = EmbeddedDatabase.inMemory()) {
      BuildFixture model = new BuildFixture(fresh);
      for (int from = 0; from < records.size(); from += RECORDS_PER_TRANSACTION) {
        List<Person> part =
            records.subList(from, Math.min(records.size(), from + RECORDS_PER_TRANSACTION));
        fresh.run(tx -> part.forEach(person -> model.people.save(tx, person)));
      }
      for (String index : indexes) {
        assertThat(rows(index)).as(index).isEqualTo(model.rows(index));
      }
    }
  }

  SortedMap<String, String> rows(String index) {
    return database.read(tx -> IndexContents.rows(space.internals(), tx, index));
  }

  List<Key> leftovers() {
    return database.read(tx -> IndexContents.leftovers(space.internals(), tx));
  }
}
