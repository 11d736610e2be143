package dev.tidemark.bench.queries;

import static java.util.Objects.requireNonNull;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.MetadataVersion;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.query.Aggregate;
import dev.tidemark.records.query.Query;
import dev.tidemark.records.query.Row;
import dev.tidemark.records.schema.Schema;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The people in record stores on the embedded engine. */
final class RecordPeople implements PeopleTable {
  private static final long CACHE_BYTES = 1L << 30;
  private static final Aggregate<Person, Long> COUNT = Aggregate.count();

  private final EmbeddedDatabase database;
  private final RecordSpace space;
  private final RecordStore<Person> persons;
  private final RecordStore<Purchase> purchases;

  RecordPeople(Path directory) {
    // As much memory as the rivals get.
    database =
        EmbeddedDatabase.open(
            directory,
            options ->
                options
                    .withSync(false)
                    .withCacheBytes(CACHE_BYTES / 2)
                    .withRowCacheBytes(CACHE_BYTES / 2));
    Schema schema =
        new Schema(
            1,
            List.of(Person_.TYPE, Purchase_.TYPE),
            Stream.concat(Person_.INDEXES.stream(), Purchase_.INDEXES.stream()).toList(),
            List.of());
    space = RecordSpace.open(database, schema, Subspace.of("people"));
    persons = space.store(Person_.TYPE);
    purchases = space.store(Purchase_.TYPE);
  }

  EmbeddedDatabase database() {
    return database;
  }

  @Override
  public String name() {
    return "records";
  }

  @Override
  public void savePersons(List<Person> all) {
    database.run(tx -> all.forEach(person -> persons.save(tx, person)));
  }

  @Override
  public void savePurchases(List<Purchase> all) {
    database.run(tx -> all.forEach(purchase -> purchases.save(tx, purchase)));
  }

  @Override
  public void analyze() {
    space.statistics().collect();
  }

  /** Has the next query be planned anew, as after a change of an index. */
  void forgetPlans() {
    database.run(MetadataVersion::change);
  }

  @Override
  public long ask(Question question, List<Object> values) {
    return database.read(tx -> ask(tx.snapshot(), question, values));
  }

  private long ask(ReadTransaction tx, Question question, List<Object> values) {
    return switch (question) {
      case COVERING ->
          query(question, values)
              .select(Person_.CITY, Person_.AGE, Person_.PERSON_ID, PeopleTable::sum)
              .stream(tx)
              .mapToLong(Long::longValue)
              .sum();
      case GROUP_COUNT ->
          persons.query().groupBy(Person_.CITY).select(COUNT).stream(tx)
              .mapToLong(RecordPeople::sum)
              .sum();
      case COUNT_FILTER -> query(question, values).count(tx);
      case JOIN ->
          purchases
              .query()
              .where(Purchase_.DAY_NUMBER.eq((Integer) values.get(0)))
              .join(Purchase_.PERSON_ID, persons.query())
              .stream(tx)
              .mapToLong(
                  pair -> PeopleTable.sum(pair.right()) + PeopleTable.mix(pair.left().cents()))
              .sum();
      case POINT, RANGE, COMPOUND, OR_UNION, AND_INTERSECTION, IN_100, SORT_LIMIT, FULL_SCAN ->
          query(question, values).stream(tx).mapToLong(PeopleTable::sum).sum();
    };
  }

  private static long sum(Row row) {
    return PeopleTable.sum(
        requireNonNull(row.get(Person_.CITY)), requireNonNull(row.get(COUNT)), 0);
  }

  /** The question about persons, as a query. */
  Query<Person> query(Question question, List<Object> values) {
    Query<Person> all = persons.query();
    return switch (question) {
      case POINT -> all.where(Person_.PERSON_ID.eq((Long) values.get(0)));
      case RANGE -> all.where(Person_.SCORE.between(number(values, 0), number(values, 1)));
      case COMPOUND ->
          all.where(
              Person_.CITY.eq(text(values, 0)),
              Person_.AGE.between(number(values, 1), number(values, 2)));
      case COVERING ->
          all.where(Person_.CITY.eq(text(values, 0)), Person_.AGE.ge(number(values, 1)))
              .orderBy(Person_.AGE, Person_.PERSON_ID)
              .limit(100);
      case OR_UNION ->
          all.where(
              Person_.SCORE
                  .between(number(values, 0), number(values, 1))
                  .or(Person_.CITY.eq(text(values, 2)).and(Person_.AGE.eq(number(values, 3)))));
      case AND_INTERSECTION ->
          all.where(Person_.TEAM.eq(number(values, 0)), Person_.LEVEL.eq(number(values, 1)));
      case IN_100 -> all.where(Person_.SCORE.in(values.stream().map(Integer.class::cast).toList()));
      case SORT_LIMIT ->
          all.where(Person_.STATUS.eq(text(values, 0)))
              .orderBy(Person_.SCORE.desc(), Person_.PERSON_ID.desc())
              .limit(20);
      case COUNT_FILTER ->
          all.where(Person_.CITY.eq(text(values, 0)), Person_.AGE.ge(number(values, 1)));
      case FULL_SCAN -> all.where(Person_.NOTE.like(text(values, 0)));
      case GROUP_COUNT, JOIN -> throw new IllegalArgumentException(question + " is more than that");
    };
  }

  private static int number(List<Object> values, int place) {
    return (Integer) values.get(place);
  }

  private static String text(List<Object> values, int place) {
    return (String) values.get(place);
  }

  @Override
  public void close() {
    database.close();
  }
}
