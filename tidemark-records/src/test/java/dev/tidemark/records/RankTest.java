package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.internal.Recount;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.testkit.junit.SeedSource;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** The places of records among others. */
class RankTest {
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

  private Object ask(Function<ReadTransaction, Object> question) {
    return database.read(question::apply);
  }

  @Test
  void equalValuesAreInTheOrderOfPrimaryKeysAndShareACount() {
    RecordStore<Person> people = open(Person.index("rank", IndexKind.RANK, "city", "age"));
    save(
        people,
        Person.of(4, "Oslo", 20),
        Person.of(2, "Oslo", 20),
        Person.of(3, "Oslo", 10),
        Person.of(1, "Oslo", null),
        Person.of(5, "Lima", 5));

    assertThat(ask(tx -> people.rank(tx, "rank", 3L))).isEqualTo(OptionalLong.of(0));
    assertThat(ask(tx -> people.rank(tx, "rank", 2L))).isEqualTo(OptionalLong.of(1));
    assertThat(ask(tx -> people.rank(tx, "rank", 4L))).isEqualTo(OptionalLong.of(2));
    assertThat(ask(tx -> people.rank(tx, "rank", 5L))).isEqualTo(OptionalLong.of(0));
    assertThat(ask(tx -> people.rank(tx, "rank", 1L))).isEqualTo(OptionalLong.empty());
    assertThat(ask(tx -> people.rank(tx, "rank", 9L))).isEqualTo(OptionalLong.empty());
    assertThat(ask(tx -> people.countBelow(tx, "rank", "Oslo", 20))).isEqualTo(1L);
    assertThat(ask(tx -> people.countBelow(tx, "rank", "Oslo", 21))).isEqualTo(3L);
    assertThat(ask(tx -> people.atRank(tx, "rank", 2, "Oslo")))
        .isEqualTo(Optional.of(Person.of(4, "Oslo", 20)));
    assertThat(ask(tx -> people.atRank(tx, "rank", 3, "Oslo"))).isEqualTo(Optional.empty());
  }

  @Test
  void descendingColumnRanksTheLargestFirst() {
    RecordStore<Person> people = open(People.descending("best", IndexKind.RANK, "score"));
    save(people, Person.of(1, "Oslo", 1), Person.of(2, "Oslo", 1), Person.of(3, "Oslo", 1));

    assertThat(ask(tx -> people.rank(tx, "best", 3L))).isEqualTo(OptionalLong.of(0));
    assertThat(ask(tx -> people.atRank(tx, "best", 2)))
        .isEqualTo(Optional.of(Person.of(1, "Oslo", 1)));
    assertThat(ask(tx -> people.countBelow(tx, "best", 15L))).isEqualTo(2L);
  }

  @Test
  void emptyGroupLeavesNoKey() {
    RecordStore<Person> people = open(Person.index("rank", IndexKind.RANK, "city", "age"));
    for (long id = 0; id < 300; id++) {
      save(people, Person.of(id, "Oslo", (int) id % 50));
    }
    for (long id = 0; id < 300; id++) {
      long gone = id * 7 % 300;
      database.run(tx -> people.delete(tx, gone));
    }

    List<KeyValue> left =
        database.read(
            tx -> {
              List<KeyValue> rows = tx.scan(Subspace.of("people", 2).prefixRange()).list();
              rows.addAll(tx.scan(Subspace.of("people", 3).prefixRange()).list());
              return rows;
            });
    assertThat(left).isEmpty();
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 3)
  void placesEqualThoseInASortedList(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RecordStore<Person> people = open(Person.index("rank", IndexKind.RANK, "age"));
    TreeMap<Long, Person> model = new TreeMap<>();
    for (int batch = 0; batch < 20; batch++) {
      List<Person> changes =
          random
              .ints(100, 0, 1_500)
              .mapToObj(id -> Person.of(id, "Oslo", random.nextInt(400)))
              .toList();
      database.run(tx -> changes.forEach(person -> people.save(tx, person)));
      changes.forEach(person -> model.put(person.id(), person));
      List<Long> gone = random.longs(30, 0, 1_500).boxed().toList();
      database.run(tx -> gone.forEach(id -> people.delete(tx, id)));
      model.keySet().removeAll(gone);
    }
    List<Person> sorted =
        model.values().stream()
            .sorted(
                Comparator.comparingInt((Person person) -> Objects.requireNonNull(person.age()))
                    .thenComparingLong(Person::id))
            .toList();
    for (int i = 0; i < sorted.size(); i += 1 + random.nextInt(15)) {
      int place = i;
      Person person = sorted.get(i);
      assertThat(ask(tx -> people.rank(tx, "rank", person.id()))).isEqualTo(OptionalLong.of(place));
      assertThat(ask(tx -> people.atRank(tx, "rank", place))).isEqualTo(Optional.of(person));
    }
    assertThat(ask(tx -> people.atRank(tx, "rank", sorted.size()))).isEqualTo(Optional.empty());
    Recount.check(people.space().internals());
  }

  @Test
  void savesOfDifferentRecordsInOneGroupDoNotConflict() {
    RecordStore<Person> people = open(Person.index("rank", IndexKind.RANK, "age"));
    for (long id = 0; id < 40; id++) {
      save(people, Person.of(id, "Oslo", (int) id * 10));
    }
    int conflicts = 0;
    for (int i = 0; i < 40; i++) {
      try (Transaction one = database.begin();
          Transaction two = database.begin()) {
        people.save(one, Person.of(1_000 + i, "Oslo", 200 + i));
        people.save(two, Person.of(2_000 + i, "Oslo", 200 + i));
        one.commit();
        two.commit();
      } catch (ConflictException promoted) {
        conflicts++;
      }
    }
    assertThat(conflicts).isLessThan(15);
    Recount.check(people.space().internals());
  }

  @Test
  void negativeRankAndWrongNumberOfValuesAreRefused() {
    RecordStore<Person> people = open(Person.index("rank", IndexKind.RANK, "city", "age"));

    assertThatThrownBy(() -> ask(tx -> people.atRank(tx, "rank", -1, "Oslo")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
    assertThatThrownBy(() -> ask(tx -> people.atRank(tx, "rank", 1)))
        .hasMessageContaining("Grouping values count (0)");
    assertThatThrownBy(() -> ask(tx -> people.countBelow(tx, "rank", "Oslo")))
        .hasMessageContaining("[city, age]");
  }
}
