package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.changes.ChangeLog;
import dev.tidemark.records.changes.ChangePartition;
import dev.tidemark.records.changes.DataChange;
import dev.tidemark.records.schema.CaptureType;
import dev.tidemark.records.schema.ChangeStreamSpec;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import dev.tidemark.testkit.junit.SeedSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** After any program, the change log from its beginning on makes the store of every version. */
class ChangePropertyTest {
  private static final int IDS = 30;
  private static final int TRANSACTIONS = 120;
  private static final Duration TTL = Duration.ofMinutes(1);

  private static final RecordType<Person> TYPE =
      new RecordType<>(
          new TypeSpec(
              "Person",
              Person.SPEC.fields(),
              List.of(1),
              true,
              Optional.of(new TypeSpec.Expiry(9, TTL)),
              List.of()),
          Person.class,
          Person.TYPE.codec());

  private static final ChangeStreamSpec[] STREAMS =
      Stream.of(CaptureType.values())
          .map(type -> ChangeStreamSpec.of(type.name()).withCapture(type))
          .toArray(ChangeStreamSpec[]::new);

  private static final Schema SCHEMA =
      Schema.of(
              1,
              List.of(TYPE),
              List.of(
                  Person.index("city", IndexKind.VALUE, "city"),
                  Person.index("version", IndexKind.VERSION, "city")))
          .withStreams(STREAMS);

  private static final Fault[] RETRIED = {
    Fault.CONFLICT,
    Fault.UNKNOWN_COMMITTED,
    Fault.UNKNOWN_NOT_COMMITTED,
    Fault.UNKNOWN_ON_ITS_WAY,
    Fault.DELAY
  };

  /**
   * What a store held at a version.
   *
   * @param version the version
   * @param time when that was
   * @param rows the records that had not expired then
   */
  private record Seen(long version, Instant time, Map<Long, Map<String, @Nullable Object>> rows) {}

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 12)
  @Timeout(120)
  void replayGivesTheStoreOfEveryVersionAfterAnyProgramWithFaults(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ManualTime time = ManualTime.selfAdvancing();
    try (Database plain = EmbeddedDatabase.inMemory(o -> o.withTime(time));
        FaultyDatabase faulty = FaultyDatabase.over(plain, FaultPlan.random(seed, 0.2, RETRIED))) {
      RecordSpace space = RecordSpace.open(faulty, SCHEMA, Subspace.of("people"));
      RecordStore<Person> people = space.store(TYPE);
      List<Seen> seen = new ArrayList<>();
      for (int i = 0; i < TRANSACTIONS; i++) {
        time.advance(Duration.ofMillis(random.nextInt(20_000)));
        step(random, faulty, space, people, time);
        seen.add(look(plain, people, time));
      }
      for (ChangeStreamSpec stream : STREAMS) {
        check(space.changes().log(stream.name()), seen, 1 + random.nextInt(20));
      }
    }
  }

  private static void step(
      SplittableRandom random,
      Database database,
      RecordSpace space,
      RecordStore<Person> people,
      ManualTime time) {
    if (random.nextInt(6) == 0) {
      ChangeStreamSpec stream = STREAMS[random.nextInt(STREAMS.length)];
      splitOrMerge(random, space.changes().log(stream.name()));
      return;
    }
    if (random.nextInt(8) == 0) {
      database.run(tx -> people.sweep(tx, 1 + random.nextInt(10)));
      return;
    }
    long program = random.nextLong();
    Instant now = time.instant();
    database.run(
        tx -> {
          SplittableRandom choices = new SplittableRandom(program);
          for (int i = choices.nextInt(8); i >= 0; i--) {
            change(choices, tx, people, now);
          }
        });
  }

  private static void change(
      SplittableRandom random, Transaction tx, RecordStore<Person> people, Instant now) {
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> people.delete(tx, random.nextLong(IDS));
      case 3 -> {
        long from = random.nextLong(IDS);
        people.deleteBetween(tx, Tuple.of(from), Tuple.of(from + random.nextLong(6)));
      }
      case 4 ->
          people.save(
              tx,
              People.random(random, IDS)
                  .withExpires(now.minus(TTL).plusSeconds(random.nextInt(-5, 120))));
      case 5 ->
          people.save(
              tx,
              People.random(random, IDS)
                  .withAddress(new Person.Address("s".repeat(150_000), null)));
      default -> people.save(tx, People.random(random, IDS));
    }
  }

  private static void splitOrMerge(SplittableRandom random, ChangeLog log) {
    List<ChangePartition> active = new ArrayList<>();
    log.partitions().stream().filter(ChangePartition::isActive).forEach(active::add);
    active.sort(
        (one, other) ->
            one.begin()
                .map(ChangePartition.Bound::key)
                .orElse(Tuple.EMPTY)
                .compareTo(other.begin().map(ChangePartition.Bound::key).orElse(Tuple.EMPTY)));
    int some = random.nextInt(active.size());
    if (random.nextBoolean() && active.size() > 1) {
      int left = Math.min(some, active.size() - 2);
      log.merge(active.get(left).token(), active.get(left + 1).token());
      return;
    }
    ChangePartition partition = active.get(some);
    long from = partition.begin().map(begin -> begin.key().getLong(0)).orElse(-1L);
    long to = partition.end().map(end -> end.key().getLong(0)).orElse((long) IDS);
    if (to - from > 1) {
      log.split(partition.token(), "Person", Tuple.of(random.nextLong(from + 1, to)));
    }
  }

  private static Seen look(Database database, RecordStore<Person> people, ManualTime time) {
    return database.read(
        tx -> {
          Map<Long, Map<String, @Nullable Object>> rows = new TreeMap<>();
          Instant now = time.instant();
          people.scan(tx).forEach(person -> rows.put(person.id(), ChangeReplay.row(person)));
          return new Seen(tx.readVersion(), now, rows);
        });
  }

  private static void check(ChangeLog log, List<Seen> seen, int batch) {
    List<DataChange> changes = ChangeReplay.read(log, log.earliest(), batch);
    ChangeReplay replay = ChangeReplay.empty();
    int next = 0;
    for (Seen look : seen) {
      while (next < changes.size() && changes.get(next).position().version() <= look.version()) {
        replay.apply(changes.get(next++));
      }
      assertThat(alive(replay, look.time()))
          .as("the store at version %d", look.version())
          .isEqualTo(look.rows());
    }
    assertThat(next).as("changes behind the last version").isEqualTo(changes.size());
  }

  /** The replayed rows that had not expired at {@code time}. */
  private static Map<Long, Map<String, @Nullable Object>> alive(ChangeReplay replay, Instant time) {
    Map<Long, Map<String, @Nullable Object>> rows = new TreeMap<>(replay.rows());
    rows.values()
        .removeIf(row -> row.get("expires") instanceof Instant at && !at.isAfter(time.minus(TTL)));
    return rows;
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 4)
  @Timeout(180)
  void replayGivesTheStoreOfEveryVersionThoughManyWriteAndPartitionsSplitAndMerge(long seed)
      throws Exception {
    try (Database plain = EmbeddedDatabase.inMemory();
        FaultyDatabase faulty =
            FaultyDatabase.over(
                plain,
                FaultPlan.random(
                    seed,
                    0.1,
                    Fault.CONFLICT,
                    Fault.UNKNOWN_COMMITTED,
                    Fault.UNKNOWN_ON_ITS_WAY))) {
      RecordSpace space = RecordSpace.open(faulty, SCHEMA, Subspace.of("people"));
      RecordStore<Person> people = space.store(TYPE);
      ConcurrentLinkedQueue<Seen> seen = new ConcurrentLinkedQueue<>();
      ManualTime still = ManualTime.standing();
      List<Future<?>> workers = new ArrayList<>();
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int worker = 0; worker < 4; worker++) {
          SplittableRandom random = new SplittableRandom(seed * 31 + worker);
          boolean splits = worker == 0;
          workers.add(
              threads.submit(
                  () -> {
                    for (int i = 0; i < TRANSACTIONS; i++) {
                      if (splits && i % 3 == 0) {
                        splitOrMerge(random, space.changes().log("OLD_AND_NEW_VALUES"));
                      } else {
                        change(random.nextLong(), faulty, people);
                      }
                      seen.add(look(plain, people, still));
                    }
                  }));
        }
      }
      for (Future<?> worker : workers) {
        worker.get();
      }
      List<Seen> inOrder = new ArrayList<>(seen);
      inOrder.sort((one, other) -> Long.compare(one.version(), other.version()));
      check(space.changes().log("OLD_AND_NEW_VALUES"), inOrder, 50);
      check(space.changes().log("NEW_ROW"), inOrder, 50);
    }
  }

  private static void change(long program, Database database, RecordStore<Person> people) {
    database.run(
        tx -> {
          SplittableRandom choices = new SplittableRandom(program);
          for (int i = choices.nextInt(4); i >= 0; i--) {
            if (choices.nextInt(4) == 0) {
              people.delete(tx, choices.nextLong(IDS));
            } else {
              people.save(tx, People.random(choices, IDS));
            }
          }
        });
  }

  /** A program whose log was tampered with is found out, so that the checks above can fail. */
  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 2)
  void lostChangeIsFoundOut(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    try (Database database = EmbeddedDatabase.inMemory()) {
      RecordSpace space = RecordSpace.open(database, SCHEMA, Subspace.of("people"));
      RecordStore<Person> people = space.store(TYPE);
      for (int i = 0; i < 20; i++) {
        database.run(tx -> people.save(tx, People.random(random, IDS)));
      }
      ChangeLog log = space.changes().log("NEW_ROW");
      List<DataChange> changes = new ArrayList<>(ChangeReplay.read(log, log.earliest(), 7));
      ChangeReplay whole = ChangeReplay.empty();
      changes.forEach(whole::apply);
      Map<Long, Map<String, @Nullable Object>> store = new HashMap<>();
      database
          .read(tx -> people.scan(tx).toList())
          .forEach(person -> store.put(person.id(), ChangeReplay.row(person)));
      assertThat(whole.rows()).isEqualTo(store);

      changes.removeLast();
      ChangeReplay partial = ChangeReplay.empty();
      changes.forEach(partial::apply);
      assertThat(partial.rows()).isNotEqualTo(store);
    }
  }
}
