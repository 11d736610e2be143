package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.maintenance.MigrationOptions;
import dev.tidemark.records.maintenance.MigrationProgress;
import dev.tidemark.records.maintenance.MigrationStatus;
import dev.tidemark.records.maintenance.MigrationStep;
import dev.tidemark.records.maintenance.Migrations;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import dev.tidemark.testkit.junit.SeedSource;
import dev.tidemark.testkit.model.ModelDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps that take records from one version of a program to the next. */
class MigrationsTest {
  private static final Subspace ROOT = Subspace.of("people");
  private static final int COUNT = 300;
  private static final Schema SCHEMA =
      Schema.of(
          1,
          List.of(Person.TYPE),
          List.of(
              Person.index("by_city", IndexKind.VALUE, "city"),
              Person.index("count_city", IndexKind.COUNT, "city")));

  /** Adds one to the score, so that a record that is changed twice is noticed. */
  private static final String COUNTED = "count";

  @Test
  void recordsAreTransformedOnceAndTheStepNeverRunsAgain() {
    try (Database database = EmbeddedDatabase.inMemory()) {
      RecordSpace space = filled(database);
      List<MigrationProgress> shown = new ArrayList<>();
      List<MigrationStatus> first = counted(space).run(o -> small(o).withListener(shown::add));
      List<MigrationStatus> second = counted(space).run();

      assertThat(scores(space)).containsOnly(1L).hasSize(COUNT);
      assertThat(first).isEqualTo(second);
      assertThat(first.getFirst().state()).isEqualTo(MigrationStatus.State.DONE);
      assertThat(first.getFirst().records()).isEqualTo(COUNT);
      assertThat(shown).extracting(MigrationProgress::records).isSorted();
      assertThat(shown.getLast()).isEqualTo(new MigrationProgress(COUNTED, 1, 1, COUNT, 1));
    }
  }

  /** A save would fill in the default and give every record another version. */
  @Test
  void recordsThatAStepDoesNotChangeAreNotWritten() {
    FieldSpec id = new FieldSpec(1, "id", FieldType.Scalar.LONG, false);
    FieldSpec name = new FieldSpec(2, "name", FieldType.Scalar.STRING, true);
    FieldSpec level = new FieldSpec(3, "level", FieldType.Scalar.INT, true, Optional.of("5"));
    IndexSpec versions =
        IndexSpec.of("versions", "Thing", IndexKind.VERSION, List.of(ColumnSpec.of(2)));
    try (Database database = EmbeddedDatabase.inMemory()) {
      RecordType<DynamicRecord> old = thing(id, name);
      RecordStore<DynamicRecord> before =
          RecordSpace.open(database, Schema.of(1, List.of(old), List.of(versions)), ROOT)
              .store(old);
      for (long number = 0; number < 20; number++) {
        DynamicRecord record = DynamicRecord.of(old.spec()).with("id", number).with("name", "a");
        database.run(tx -> before.save(tx, record));
      }
      RecordType<DynamicRecord> now = thing(id, name, level);
      RecordSpace space =
          RecordSpace.open(database, Schema.of(2, List.of(now), List.of(versions)), ROOT);
      Map<Key, String> stored = rows(database);

      Migrations.of(space)
          .transform(
              "some",
              now,
              record ->
                  record.get("id").equals(Optional.of(7L)) ? record.with("name", "b") : record)
          .run();

      Map<Key, String> after = rows(database);
      after.keySet().removeIf(key -> ROOT.sub(11).contains(key) || stored.containsKey(key));
      assertThat(after).as("the new entry of record 7 in the index").hasSize(1);
      Map<Key, String> changed = rows(database);
      stored.forEach((key, value) -> changed.remove(key, value));
      changed.keySet().removeIf(key -> ROOT.sub(11).contains(key));
      assertThat(changed).as("record 7, its version and its entry").hasSize(3);
    }
  }

  private static RecordType<DynamicRecord> thing(FieldSpec... fields) {
    return DynamicRecord.type(
        new TypeSpec("Thing", List.of(fields), List.of(1), true, Optional.empty(), List.of()));
  }

  private static Map<Key, String> rows(Database database) {
    return database.read(
        tx -> {
          Map<Key, String> rows = new TreeMap<>();
          for (KeyValue row : tx.scan(ROOT.prefixRange())) {
            rows.put(row.key(), HexFormat.of().formatHex(row.value()));
          }
          return rows;
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 5, 8, 13, 14, 15, 16})
  void runThatWasKilledIsGoneOnWithAndChangesNoRecordTwice(int survived) {
    Kill plan = Kill.after(survived);
    try (Database inner = EmbeddedDatabase.inMemory()) {
      RecordSpace space = filled(inner);
      RecordSpace doomed = RecordSpace.open(FaultyDatabase.over(inner, plan), SCHEMA, ROOT);
      plan.arm(1);
      assertThatThrownBy(() -> counted(doomed).run(MigrationsTest::small))
          .isInstanceOf(Kill.Killed.class);
      assertThatThrownBy(() -> counted(space).run())
          .isInstanceOfAny(MigrationBusyException.class)
          .hasMessageContaining("lease ends at");

      inner.run(tx -> tx.clear(ROOT.pack(11)));
      counted(space).run(MigrationsTest::small);
      assertThat(scores(space)).containsOnly(1L).hasSize(COUNT);
    }
  }

  @ParameterizedTest
  @SeedSource(count = 3)
  void faultsOfCommitsChangeNoRecordTwice(long seed) {
    try (Database inner = EmbeddedDatabase.inMemory()) {
      RecordSpace space = filled(inner);
      FaultPlan faults =
          FaultPlan.random(
              seed,
              0.3,
              Fault.CONFLICT,
              Fault.TOO_OLD,
              Fault.UNKNOWN_COMMITTED,
              Fault.UNKNOWN_NOT_COMMITTED);
      RecordSpace faulty = RecordSpace.open(FaultyDatabase.over(inner, faults), SCHEMA, ROOT);
      counted(faulty).run(MigrationsTest::small);

      assertThat(scores(space)).containsOnly(1L).hasSize(COUNT);
    }
  }

  /** Neither a change of a program nor that of the migration is lost. */
  @ParameterizedTest
  @SeedSource(count = 2)
  void recordsThatProgramsSaveMeanwhileKeepBothChanges(long seed) {
    try (Database database = EmbeddedDatabase.inMemory()) {
      RecordSpace space = filled(database);
      RecordStore<Person> people = space.store(Person.TYPE);
      AtomicLong birthdays = new AtomicLong();
      try (Writers writers =
          Writers.start(
              random -> {
                long id = random.nextInt(COUNT);
                database.run(tx -> people.save(tx, older(people.load(tx, id).orElseThrow())));
                birthdays.incrementAndGet();
              },
              2,
              seed)) {
        writers.awaitFirst();
        counted(space).run(MigrationsTest::small);
      }

      assertThat(scores(space)).containsOnly(1L).hasSize(COUNT);
      long ages =
          database.read(
              tx -> people.scan(tx).mapToLong(each -> Objects.requireNonNull(each.age())).sum());
      assertThat(ages).isEqualTo(COUNT + birthdays.get());
    }
  }

  private static Person older(Person person) {
    return person.withAge(Objects.requireNonNull(person.age()) + 1);
  }

  @Test
  void stepsRunInTheirOrderAndIndexesAreBuilt() {
    try (Database database = EmbeddedDatabase.inMemory()) {
      RecordSpace space = filled(database);
      database.run(tx -> space.indexes().disable(tx, "by_city"));
      List<String> order = new ArrayList<>();
      Migrations migrations =
          Migrations.of(space)
              .custom("first", context -> order.add("first"))
              .buildIndexes("build", "by_city")
              .custom(
                  "last",
                  context -> {
                    order.add("last");
                    IndexState state =
                        context.transact(tx -> context.space().indexes().state(tx, "by_city"));
                    assertThat(state).isEqualTo(IndexState.READABLE);
                  });
      migrations.run();
      migrations.run();

      assertThat(order).containsExactly("first", "last");
    }
  }

  @Test
  void customStepGoesOnFromThePlaceThatItSaved() {
    try (Database database = EmbeddedDatabase.inMemory()) {
      RecordSpace space = filled(database);
      List<Long> done = new ArrayList<>();
      MigrationStep step =
          context -> {
            for (long next = place(context); next < 5; next++) {
              long number = next;
              done.add(number);
              context.transact(
                  tx -> {
                    context.savePlace(tx, Tuple.of(number + 1).pack());
                    return true;
                  });
              if (number == 2 && done.size() == 3) {
                throw new IllegalStateException("stumbled");
              }
            }
          };
      assertThatThrownBy(() -> Migrations.of(space).custom("five", step).run())
          .hasMessage("stumbled");
      MigrationStatus begun =
          database
              .<List<MigrationStatus>, RuntimeException>read(
                  tx -> Migrations.of(space).custom("five", step).status(tx))
              .getFirst();
      assertThat(begun.state()).isEqualTo(MigrationStatus.State.BEGUN);

      Migrations.of(space).custom("five", step).run();
      assertThat(done).containsExactly(0L, 1L, 2L, 3L, 4L);
    }
  }

  private static long place(MigrationStep.Context context) {
    return context.transact(
        tx -> context.place(tx).map(place -> Tuple.unpack(place).getLong(0)).orElse(0L));
  }

  @Test
  void secondProgramIsRefusedWaitsOrTakesOverWhenTheFirstIsSilent() {
    ManualTime time = ManualTime.selfAdvancing();
    try (ModelDatabase database = ModelDatabase.open(Limits.DEFAULTS, time)) {
      RecordSpace space = RecordSpace.open(database, SCHEMA, ROOT);
      List<String> ran = new ArrayList<>();
      Migrations second = Migrations.of(space).custom("one", context -> ran.add("second"));
      Migrations first =
          Migrations.of(space)
              .custom(
                  "one",
                  context -> {
                    assertThatThrownBy(second::run).isInstanceOf(MigrationBusyException.class);
                    second.run(o -> o.withPatience(Duration.ofMinutes(2)));
                    assertThatThrownBy(() -> context.transact(tx -> 1))
                        .isInstanceOf(MigrationBusyException.class)
                        .hasMessageContaining("taken over");
                    ran.add("first, in vain");
                  });
      assertThatThrownBy(first::run).isInstanceOf(MigrationBusyException.class);

      assertThat(ran).containsExactly("second", "first, in vain");
    }
  }

  @Test
  void newStepBeforeOneThatIsDoneIsRefused() {
    try (Database database = EmbeddedDatabase.inMemory()) {
      RecordSpace space = filled(database);
      Migrations.of(space).custom("old", context -> {}).run();

      assertThatThrownBy(
              () ->
                  Migrations.of(space)
                      .custom("new", context -> {})
                      .custom("old", context -> {})
                      .run())
          .hasMessageContaining("'new' is not done, but 'old'");
    }
  }

  @Test
  void mistakesAreNamed() {
    try (Database database = EmbeddedDatabase.inMemory()) {
      RecordSpace space = filled(database);
      Migrations one = counted(space);
      assertThatThrownBy(() -> one.custom(COUNTED, context -> {}))
          .hasMessageContaining("Two migrations are called 'count'");
      assertThatThrownBy(() -> one.buildIndexes("x", "none"))
          .hasMessageContaining("no index 'none'");
      assertThatThrownBy(
              () ->
                  Migrations.of(space)
                      .transform("keys", Person.TYPE, p -> Person.of(p.id() + 1, null, null))
                      .run())
          .hasMessageContaining("primary keys stay");
      assertThatThrownBy(
              () ->
                  Migrations.of(space)
                      .custom(
                          "far",
                          context ->
                              context.transact(
                                  tx -> {
                                    context.savePlace(tx, new byte[10_001]);
                                    return true;
                                  }))
                      .run())
          .hasMessageContaining("The place of the migration 'far' has 10,001 bytes");
    }
  }

  private static Migrations counted(RecordSpace space) {
    return Migrations.of(space)
        .transform(COUNTED, Person.TYPE, person -> person.withScore(person.score() + 1));
  }

  private static MigrationOptions small(MigrationOptions options) {
    return options.withRecordsPerTransaction(20);
  }

  private static RecordSpace filled(Database database) {
    RecordSpace space = RecordSpace.open(database, SCHEMA, ROOT);
    RecordStore<Person> people = space.store(Person.TYPE);
    database.run(
        tx ->
            LongStream.range(0, COUNT)
                .forEach(id -> people.save(tx, Person.of(id, "c" + id % 5, 1).withScore(0))));
    return space;
  }

  private static List<Long> scores(RecordSpace space) {
    return space
        .database()
        .read(tx -> space.store(Person.TYPE).scan(tx).map(Person::score).toList());
  }
}
