package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.Recount;
import dev.tidemark.records.maintenance.Indexes;
import dev.tidemark.records.maintenance.OnlineIndexer;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import dev.tidemark.testkit.junit.SeedSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** Random programs over a store with indexes of every kind, with commits that go wrong. */
class IndexPropertyTest {
  private static final int IDS = 40;
  private static final int TRANSACTIONS = 80;

  /** A change of the store, and of the map that says what the store should hold. */
  private sealed interface Step {
    record Save(Person person) implements Step {}

    record Delete(long id) implements Step {}

    record DeleteWhere(long id) implements Step {}

    record DeleteBetween(long from, long to) implements Step {}

    record DeleteAll() implements Step {}
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 5)
  void everyIndexEqualsARebuildOfItselfAfterAnyProgram(long seed) {
    run(seed, People.VERSIONED, People.everyKind());
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 3)
  void rangesAreClearedWithTheirIndexEntriesAfterAnyProgram(long seed) {
    run(
        seed,
        People.VERSIONED,
        List.of(
            Person.index("id_city", IndexKind.VALUE, "id", "city"),
            Person.index("count", IndexKind.COUNT, "id", "city"),
            Person.index("sum", IndexKind.SUM, "id", "age"),
            Person.index("rank", IndexKind.RANK, "id", "age"),
            Person.index("min", IndexKind.MIN, "id", "age"),
            Person.index("updates", IndexKind.COUNT_UPDATES),
            Person.index("version", IndexKind.VERSION, "id")));
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 4)
  @Timeout(60)
  void everyIndexEqualsARebuildThoughStatesChangeInTheTransactionsThatSave(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    try (Database database = EmbeddedDatabase.inMemory()) {
      RecordSpace space =
          RecordSpace.open(
              database, People.schema(People.VERSIONED, everyKind()), Subspace.of("people"));
      RecordStore<Person> people = space.store(People.VERSIONED);
      for (int i = 0; i < TRANSACTIONS; i++) {
        database.run(
            tx -> {
              apply(tx, people, steps(random));
              for (int c = random.nextInt(4); c > 0; c--) {
                changeState(tx, space.indexes(), random);
                apply(tx, people, steps(random));
              }
            });
        if (i % 10 == 9) {
          build(space);
          Recount.check(space.internals());
        }
      }
    }
  }

  private static IndexSpec[] everyKind() {
    return People.everyKind().toArray(IndexSpec[]::new);
  }

  private static void changeState(Transaction tx, Indexes indexes, SplittableRandom random) {
    List<String> names = List.copyOf(indexes.states(tx).keySet());
    String index = names.get(random.nextInt(names.size()));
    switch (random.nextInt(4)) {
      case 0 -> indexes.disable(tx, index);
      case 1 -> indexes.makeWriteOnly(tx, index);
      default -> {
        if (indexes.firstMissing(tx, index).isEmpty()) {
          indexes.makeReadable(tx, index);
        }
      }
    }
  }

  private static void build(RecordSpace space) {
    String[] all = People.everyKind().stream().map(IndexSpec::name).toArray(String[]::new);
    try (OnlineIndexer indexer =
        OnlineIndexer.of(space, o -> o.withIndexes(all).withRecordsPerTransaction(7))) {
      indexer.build();
    }
  }

  private static void run(long seed, RecordType<Person> type, List<IndexSpec> indexes) {
    SplittableRandom random = new SplittableRandom(seed);
    FaultPlan plan =
        FaultPlan.random(
            seed,
            0.2,
            Fault.CONFLICT,
            Fault.TOO_OLD,
            Fault.UNKNOWN_COMMITTED,
            Fault.UNKNOWN_NOT_COMMITTED);
    try (Database database = FaultyDatabase.over(EmbeddedDatabase.inMemory(), plan)) {
      RecordSpace space =
          RecordSpace.open(database, Schema.of(1, List.of(type), indexes), Subspace.of("people"));
      RecordStore<Person> people = space.store(type);
      Map<Long, Person> model = new TreeMap<>();
      for (int i = 0; i < TRANSACTIONS; i++) {
        List<Step> steps = steps(random);
        List<Boolean> done = database.transact(tx -> apply(tx, people, steps));
        for (int s = 0; s < steps.size(); s++) {
          if (done.get(s)) {
            apply(model, steps.get(s));
          }
        }
        if (i % 20 == 19) {
          Recount.check(space.internals());
        }
      }
      List<Person> all = database.read(tx -> people.scan(tx).toList());
      assertThat(all).containsExactlyElementsOf(model.values());
      Recount.check(space.internals());
    }
  }

  private static List<Step> steps(SplittableRandom random) {
    List<Step> steps = new ArrayList<>();
    for (int i = 1 + random.nextInt(6); i > 0; i--) {
      steps.add(
          switch (random.nextInt(20)) {
            case 0 -> new Step.DeleteWhere(random.nextLong(IDS));
            case 1 -> {
              long from = random.nextLong(IDS);
              yield new Step.DeleteBetween(from, from + random.nextInt(6));
            }
            case 2 -> random.nextInt(8) == 0 ? new Step.DeleteAll() : new Step.Delete(1);
            case 3, 4, 5, 6 -> new Step.Delete(random.nextLong(IDS));
            default -> new Step.Save(People.random(random, IDS));
          });
    }
    return steps;
  }

  /** Whether each step was done; one that is refused leaves no trace and stops nobody. */
  private static List<Boolean> apply(Transaction tx, RecordStore<Person> people, List<Step> steps) {
    List<Boolean> done = new ArrayList<>();
    for (Step step : steps) {
      try {
        switch (step) {
          case Step.Save(Person person) -> people.save(tx, person);
          case Step.Delete(long id) -> people.delete(tx, id);
          case Step.DeleteWhere(long id) -> people.deleteWhere(tx, id);
          case Step.DeleteBetween(long from, long to) ->
              people.deleteBetween(tx, Tuple.of(from), Tuple.of(to));
          case Step.DeleteAll() -> people.deleteAll(tx);
        }
        done.add(true);
      } catch (UniquenessException taken) {
        done.add(false);
      }
    }
    return done;
  }

  private static void apply(Map<Long, Person> model, Step step) {
    switch (step) {
      case Step.Save(Person person) -> model.put(person.id(), person);
      case Step.Delete(long id) -> model.remove(id);
      case Step.DeleteWhere(long id) -> model.remove(id);
      case Step.DeleteBetween(long from, long to) ->
          model.keySet().removeIf(id -> id >= from && id < to);
      case Step.DeleteAll() -> model.clear();
    }
    assertThat(model.values()).allMatch(Objects::nonNull);
  }
}
