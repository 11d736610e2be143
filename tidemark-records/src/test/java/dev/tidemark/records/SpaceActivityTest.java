package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.codec.RecordCodec;
import dev.tidemark.records.codec.RecordReader;
import dev.tidemark.records.codec.RecordWriter;
import dev.tidemark.records.maintenance.OnlineIndexer;
import dev.tidemark.records.maintenance.Upkeep;
import dev.tidemark.records.maintenance.UpkeepEvent;
import dev.tidemark.records.maintenance.UpkeepEvent.Swept;
import dev.tidemark.records.query.Continuation;
import dev.tidemark.records.query.Cursor;
import dev.tidemark.records.query.Query;
import dev.tidemark.records.query.QueryLimits;
import dev.tidemark.records.schema.ChangeStreamSpec;
import dev.tidemark.records.schema.DeleteRule;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import dev.tidemark.testkit.ManualTime;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each piece of work raises the numbers that are named for it, and no other. */
@Timeout(60)
class SpaceActivityTest {
  private static final TypeSpec SPEC =
      new TypeSpec(
          "Person",
          Person.SPEC.fields(),
          List.of(1),
          false,
          Optional.of(new TypeSpec.Expiry(9, Duration.ZERO)),
          List.of());
  private static final RecordType<Person> TYPE =
      new RecordType<>(SPEC, Person.class, Person.TYPE.codec());
  private static final String BY_CITY = "by_city";
  private static final Schema SCHEMA =
      Schema.of(1, List.of(TYPE), List.of(Person.index(BY_CITY, IndexKind.VALUE, "city")));
  private static final Subspace ROOT = Subspace.of("people");

  private final ManualTime time = ManualTime.standing();
  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory(o -> o.withTime(time));
  private final RecordSpace space = RecordSpace.open(database, SCHEMA, ROOT);
  private final RecordStore<Person> people = space.store(TYPE);
  private final Map<String, Long> seen = new HashMap<>();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void spaceThatWasJustOpenedHasDoneNothing() {
    assertThat(space.activity()).isEqualTo(new SpaceActivity(0, 0, 0, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void savesAndLoadsOfAllStoresOfTheSpaceCount() {
    fill(1, 3);
    assertThat(more(space)).isEqualTo(Map.of("saved", 3L));

    RecordStore<Person> sameType = space.store(TYPE);
    database.run(tx -> sameType.update(tx, Person.of(3, "Lima", 1)));
    assertThat(more(space)).isEqualTo(Map.of("saved", 1L));

    database.run(
        tx -> {
          people.load(tx, 1L);
          sameType.load(tx, 99L);
          people.loadAll(tx, List.of(Tuple.of(1L), Tuple.of(99L), Tuple.of(2L)));
          people.exists(tx, 3L);
        });
    assertThat(more(space)).isEqualTo(Map.of("loaded", 4L));
  }

  @Test
  void bodyThatRunsAgainCountsAgainAndWhatWasRefusedDoesNot() {
    AtomicInteger attempts = new AtomicInteger();
    ManualTime moving = ManualTime.selfAdvancing(); // the pause before the second attempt
    try (EmbeddedDatabase contended = EmbeddedDatabase.inMemory(o -> o.withTime(moving))) {
      RecordSpace shared = RecordSpace.open(contended, SCHEMA, ROOT);
      RecordStore<Person> store = shared.store(TYPE);
      contended.run(
          tx -> {
            store.load(tx, 1L);
            store.save(tx, Person.of(1, "Oslo", attempts.get()));
            if (attempts.getAndIncrement() == 0) {
              contended.run(other -> store.save(other, Person.of(1, "Lima", 1)));
            }
          });
      assertThat(attempts).hasValue(2);
      assertThat(more(shared)).isEqualTo(Map.of("saved", 3L, "loaded", 1L));

      assertThatThrownBy(() -> contended.run(tx -> store.insert(tx, Person.of(1, "Oslo", 1))))
          .isInstanceOf(RecordExistsException.class);
      assertThat(more(shared)).isEmpty();
    }
  }

  @Test
  void queriesCountWhereTheyBeginAndPlansWhereTheyAreLookedUp() {
    fill(1, 10);
    more(space);
    assertThat(list(inCity("c1"))).hasSize(5);
    assertThat(more(space)).isEqualTo(Map.of("queries", 1L, "plansMade", 1L));

    assertThat(list(inCity("c0"))).hasSize(5);
    assertThat(more(space)).isEqualTo(Map.of("queries", 1L, "plansCached", 1L));

    QueryLimits two = QueryLimits.NONE.withRows(2);
    Continuation behind =
        database.read(
            tx -> {
              Cursor<Person> cursor = inCity("c0").cursor(tx, two);
              cursor.forEachRemaining(person -> {});
              return cursor.continuation();
            });
    database.read(
        tx -> {
          Cursor<Person> cursor = inCity("c0").resume(tx, two, behind);
          cursor.forEachRemaining(person -> {});
          return cursor.stopReason();
        });
    assertThat(more(space)).isEqualTo(Map.of("queries", 1L, "plansCached", 2L));

    assertThat(inCity("c0").autoContinue()).hasSize(5);
    assertThat(more(space))
        .as("it asks first whether the plan sorts")
        .isEqualTo(Map.of("queries", 1L, "plansCached", 2L));

    database.read(tx -> inCity("c0").explain(tx));
    assertThat(more(space)).isEqualTo(Map.of("plansCached", 1L));

    database.read(tx -> inCity("c0").explainRun(tx));
    assertThat(more(space)).isEqualTo(Map.of("queries", 1L, "plansCached", 1L));

    database.read(tx -> space.sql(tx, "SELECT * FROM Person WHERE city = ?", "c0"));
    assertThat(more(space)).isEqualTo(Map.of("queries", 1L, "plansCached", 1L));

    assertThatThrownBy(() -> list(inCity("c0").using("none")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(more(space)).as("of one that was refused").isEmpty();
  }

  @Test
  void groupsThatAnIndexHasAreAQueryWithoutAPlan() {
    RecordSpace counted =
        RecordSpace.open(
            database,
            Schema.of(
                1,
                List.of(Person.TYPE),
                List.of(Person.index("count_by_city", IndexKind.COUNT, "city"))),
            Subspace.of("counted"));
    database.run(tx -> counted.store(Person.TYPE).save(tx, Person.of(1, "Oslo", 1)));
    more(counted);

    database.read(tx -> counted.sql(tx, "SELECT city, COUNT(*) FROM Person GROUP BY city"));
    assertThat(more(counted)).isEqualTo(Map.of("queries", 1L));

    database.read(tx -> counted.sql(tx, "SELECT age, COUNT(*) FROM Person GROUP BY age"));
    assertThat(more(counted)).isEqualTo(Map.of("queries", 1L, "plansMade", 1L));
  }

  @Test
  void deletesByKeyByQueryAndByExpiryCountEachRecord() throws InterruptedException {
    fill(1, 20);
    more(space);
    database.run(
        tx -> {
          people.delete(tx, 1L);
          people.delete(tx, 99L);
        });
    assertThat(more(space)).isEqualTo(Map.of("deleted", 1L));

    inCity("c0").delete();
    assertThat(more(space)).containsEntry("deleted", 10L).containsEntry("queries", 1L).hasSize(3);

    Instant soon = time.instant().plusSeconds(1);
    database.run(
        tx ->
            LongStream.rangeClosed(30, 36)
                .forEach(id -> people.save(tx, Person.of(id, "c1", 1).withExpires(soon))));
    time.advance(Duration.ofSeconds(2));
    more(space);
    int swept = database.transact(tx -> people.sweep(tx, 3));
    assertThat(swept).isEqualTo(3);
    assertThat(more(space)).isEqualTo(Map.of("swept", 3L, "deleted", 3L));

    LinkedBlockingQueue<UpkeepEvent> events = new LinkedBlockingQueue<>();
    try (Upkeep upkeep =
        Upkeep.of(
            space,
            o ->
                o.withSweepEvery(Duration.ofMinutes(1))
                    .withoutRefresh()
                    .withListener(events::add))) {
      assertThat(upkeep).isNotNull();
      UpkeepEvent event = null;
      while (!(event instanceof Swept)) {
        time.advance(Duration.ofMinutes(1));
        event = events.poll(10, TimeUnit.MILLISECONDS);
      }
      assertThat(event).isEqualTo(new Swept(4, true));
    }
    assertThat(more(space)).isEqualTo(Map.of("swept", 4L, "deleted", 4L));
  }

  @Test
  void rangeThatIsClearedUnreadCountsNone() {
    RecordType<Person> plain = Person.TYPE;
    RecordSpace unindexed =
        RecordSpace.open(database, Schema.of(1, List.of(plain), List.of()), Subspace.of("plain"));
    database.run(tx -> unindexed.store(plain).save(tx, Person.of(1, "Oslo", 1)));
    database.run(tx -> unindexed.store(plain).deleteAll(tx));

    boolean there = database.read(tx -> unindexed.store(plain).exists(tx, 1L));
    assertThat(there).isFalse();
    assertThat(more(unindexed)).isEqualTo(Map.of("saved", 1L));
  }

  @Test
  void recordsThatGoOrChangeWithADeletedOneCount() {
    TypeSpec team = dynamic("Team", List.of());
    TypeSpec member =
        dynamic("Member", List.of(new TypeSpec.Relation(2, "Team", DeleteRule.CASCADE)));
    TypeSpec guest =
        dynamic("Guest", List.of(new TypeSpec.Relation(2, "Team", DeleteRule.NULLIFY)));
    RecordType<DynamicRecord> teams = DynamicRecord.type(team);
    RecordType<DynamicRecord> members = DynamicRecord.type(member);
    RecordType<DynamicRecord> guests = DynamicRecord.type(guest);
    RecordSpace club =
        RecordSpace.open(
            database,
            Schema.of(1, List.of(teams, members, guests), List.of()),
            Subspace.of("club"));
    database.run(
        tx -> {
          club.store(teams).save(tx, DynamicRecord.of(team).with("id", 1L));
          for (long id = 1; id <= 3; id++) {
            club.store(members).save(tx, DynamicRecord.of(member).with("id", id).with("team", 1L));
            club.store(guests).save(tx, DynamicRecord.of(guest).with("id", id).with("team", 1L));
          }
        });
    assertThat(more(club)).isEqualTo(Map.of("saved", 7L));

    database.run(tx -> club.store(teams).delete(tx, 1L));
    assertThat(more(club)).isEqualTo(Map.of("deleted", 4L, "saved", 3L));
  }

  @Test
  void recordThatItsClassRefusesIsSavedOverNotDeleted() {
    RecordType<Person> strict = new RecordType<>(SPEC, Person.class, new Strict());
    RecordSpace other =
        RecordSpace.open(
            database, Schema.of(1, List.of(strict), List.copyOf(SCHEMA.indexes())), ROOT);
    database.run(
        tx -> {
          people.save(tx, Person.of(1, "Nowhere", 1));
          people.save(tx, Person.of(2, "Nowhere", 1));
        });

    database.run(tx -> other.store(strict).save(tx, Person.of(1, "Oslo", 1)));
    assertThat(more(other)).isEqualTo(Map.of("saved", 1L));

    seen.clear();
    database.run(tx -> other.store(strict).delete(tx, 2L));
    assertThat(more(other)).isEqualTo(Map.of("saved", 1L, "deleted", 1L));
    assertThat(space.activity().saved()).as("of the object beside it").isEqualTo(2);
    assertThat(space.activity().deleted()).as("of the object beside it").isZero();
  }

  @Test
  void rowsOfChangeStreamsCount() {
    RecordSpace watched =
        RecordSpace.open(
            database,
            SCHEMA.withStreams(ChangeStreamSpec.of("one"), ChangeStreamSpec.of("two")),
            Subspace.of("watched"));
    RecordStore<Person> store = watched.store(TYPE);
    database.run(
        tx -> {
          store.save(tx, Person.of(1, "Oslo", 1));
          store.save(tx, Person.of(1, "Lima", 1)); // folded into the insert
          store.save(tx, Person.of(2, "Lima", 1));
        });
    assertThat(more(watched)).isEqualTo(Map.of("saved", 3L, "changesCaptured", 4L));

    database.run(tx -> store.deleteAll(tx));
    assertThat(more(watched)).isEqualTo(Map.of("deleted", 2L, "changesCaptured", 4L));
  }

  @Test
  void recordsThatABuildAddsToAnIndexCount() {
    fill(1, 25);
    database.run(tx -> space.indexes().disable(tx, BY_CITY));
    more(space);
    try (OnlineIndexer indexer =
        OnlineIndexer.of(space, o -> o.withIndexes(BY_CITY).withWorkers(2))) {
      indexer.build();
    }
    assertThat(more(space)).isEqualTo(Map.of("indexed", 25L));
  }

  private void fill(long from, long to) {
    database.run(
        tx ->
            LongStream.rangeClosed(from, to)
                .forEach(id -> people.save(tx, Person.of(id, "c" + id % 2, 1))));
  }

  private Query<Person> inCity(String city) {
    return people.query().where(PersonFields.CITY.eq(city));
  }

  private List<Person> list(Query<Person> query) {
    return database.read(query::list);
  }

  private static TypeSpec dynamic(String name, List<TypeSpec.Relation> relations) {
    return new TypeSpec(
        name,
        List.of(
            new FieldSpec(1, "id", FieldType.Scalar.LONG, false),
            new FieldSpec(2, "team", FieldType.Scalar.LONG, true)),
        List.of(1),
        false,
        Optional.empty(),
        relations);
  }

  /** Those numbers that are larger than at the last look, and by how much. */
  private Map<String, Long> more(RecordSpace of) {
    Map<String, Long> more = new HashMap<>();
    numbers(of.activity())
        .forEach(
            (name, value) -> {
              Long before = seen.put(name, value);
              long difference = value - (before == null ? 0 : before);
              if (difference != 0) {
                more.put(name, difference);
              }
            });
    return more;
  }

  /** The components of {@code activity} by their names. */
  static Map<String, Long> numbers(SpaceActivity activity) {
    Map<String, Long> numbers = new HashMap<>();
    try {
      for (RecordComponent component : SpaceActivity.class.getRecordComponents()) {
        numbers.put(component.getName(), (Long) component.getAccessor().invoke(activity));
      }
    } catch (ReflectiveOperationException impossible) {
      throw new LinkageError("A number cannot be read", impossible);
    }
    return numbers;
  }

  /** Refuses people in the city of "Nowhere". */
  private static final class Strict implements RecordCodec<Person> {
    private final RecordCodec<Person> lenient = Person.TYPE.codec();

    @Override
    public void write(Person record, RecordWriter out) {
      lenient.write(record, out);
    }

    @Override
    public Person read(RecordReader in) {
      Person person = lenient.read(in);
      if ("Nowhere".equals(person.city())) {
        throw new IllegalArgumentException("there is no such city");
      }
      return person;
    }

    @Override
    public @Nullable Object get(Person record, int number) {
      return lenient.get(record, number);
    }

    @Override
    public Person with(Person record, int number, @Nullable Object value) {
      return lenient.with(record, number, value);
    }
  }
}
