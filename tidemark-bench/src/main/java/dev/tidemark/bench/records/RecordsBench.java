package dev.tidemark.bench.records;

import dev.tidemark.bench.measure.Contestant;
import dev.tidemark.bench.measure.Crew;
import dev.tidemark.bench.measure.Plan;
import dev.tidemark.bench.measure.Race;
import dev.tidemark.bench.measure.Report;
import dev.tidemark.bench.measure.Results;
import dev.tidemark.bench.measure.Scratch;
import dev.tidemark.bench.rows.GroupCommit;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The run {@code bench records}.
 *
 * <p>Its question: what does a program get from typed records with indexes that it would not get
 * from a table of SQLite or H2, what do they cost on top of the store, and what does it notice of
 * an index that is built meanwhile?
 */
public final class RecordsBench {
  private static final int USERS_ONE_IN = 10;
  private static final int LOAD_USERS = 1_000;
  private static final int BATCH = 100;
  private static final int WRITERS = 64;
  private static final int ROWS = 50;
  private static final int CHECKS = 100;
  private static final int RAW_BATCHES = 200;
  private static final int COPY_ROWS = 2_000;

  private final Plan plan;
  private final Report report;
  private final Users users;
  private final Results results;

  public RecordsBench(Plan plan, Report report) {
    this.plan = plan;
    this.report = report;
    this.users = users(plan);
    this.results = new Results("records", plan, report);
    results.order("save_batch", "save64");
  }

  public static Users users(Plan plan) {
    return new Users(plan.keys() / USERS_ONE_IN);
  }

  public void run(Path json) throws Exception {
    try (Scratch scratch = new Scratch();
        RecordTable records = new RecordTable(scratch.path("records"))) {
      try (UserTable sqlite = SqlTable.sqlite(scratch.directory("sqlite"));
          UserTable h2 = SqlTable.h2(scratch.directory("h2"))) {
        List<UserTable> tables = List.of(records, sqlite, h2);
        load(tables);
        reads(tables);
        saves(tables);
        manySaves(records, List.of(sqlite, h2));
        readsAfterSaves(tables);
      }
      overRaw(records, scratch);
      codecs();
      new BuildBench(plan, report, users, records).run(results);
    }
    results.write(json);
  }

  // ---- beside the databases

  private void load(List<UserTable> tables) throws Exception {
    for (UserTable table : tables) {
      report.part("loading %,d users into %s".formatted(users.size(), table.name()));
      load(users, table);
    }
    check(tables);
  }

  static void load(Users users, UserTable table) throws Exception {
    for (int from = 0; from < users.size(); from += LOAD_USERS) {
      table.save(users.initial(from, LOAD_USERS));
    }
  }

  /** All must answer the same, or the comparison is worth nothing. */
  private void check(List<UserTable> tables) throws Exception {
    for (int i = 0; i < CHECKS; i++) {
      List<Object> answers = new ArrayList<>();
      for (UserTable table : tables) {
        SplittableRandom random = new SplittableRandom(i);
        List<Object> answer = new ArrayList<>();
        answer.add(table.load(users.number(random)));
        answer.add(table.byEmail(users.email(random)));
        String city = Users.city(random);
        int age = Users.ageToBeginAt(random);
        answer.add(table.covered(city, age, ROWS));
        answer.add(table.range(city, age, ROWS));
        answer.add(table.count(city));
        answers.add(answer);
      }
      if (answers.stream().distinct().count() > 1) {
        throw new IllegalStateException("The tables do not agree: " + answers);
      }
    }
  }

  private void saves(List<UserTable> tables) throws Exception {
    report.part("saves, %d in a transaction, one writer".formatted(BATCH));
    SplittableRandom random = new SplittableRandom(1);
    Race race = new Race("save_batch");
    for (UserTable table : tables) {
      race.with(
          table.name(),
          deadline ->
              BATCH
                  * Contestant.loop(() -> table.save(users.changed(random, BATCH))).run(deadline));
    }
    race.run(plan.rounds(), plan.commitSlice(), plan.warmUp(), report);
    results.ratio("save_batch", againstBest(race));
  }

  private void manySaves(RecordTable records, List<UserTable> rivals) throws Exception {
    report.part("saves, one in a transaction, %d writers".formatted(WRITERS));
    Race race =
        new Race("save64")
            .with("records", Crew.virtual(WRITERS, r -> records.save(users.changed(r, 1))));
    List<GroupCommit<User>> groups = new ArrayList<>();
    try {
      for (UserTable rival : rivals) {
        GroupCommit<User> group = new GroupCommit<>(rival::save);
        groups.add(group);
        enter(race, rival, group);
      }
      race.run(plan.rounds(), plan.commitSlice(), plan.warmUp(), report);
    } finally {
      groups.forEach(GroupCommit::close);
    }
    results.ratio("save64", race.ratio("records", race.best(name -> name.endsWith("_single"))));
    report.put("save64_grouped", againstBest(race));
  }

  /** Each rival in the way that may suit it best: save by save, and in groups. */
  private void enter(Race race, UserTable rival, GroupCommit<User> group) {
    ReentrantLock turn = new ReentrantLock();
    race.with(
            rival.name() + "_single",
            Crew.platform(
                WRITERS,
                random -> {
                  List<User> one = users.changed(random, 1);
                  turn.lock();
                  try {
                    rival.save(one);
                  } finally {
                    turn.unlock();
                  }
                }))
        .with(
            rival.name() + "_group",
            Crew.virtual(WRITERS, random -> group.commit(users.changed(random, 1).getFirst())));
  }

  private void reads(List<UserTable> tables) throws Exception {
    SplittableRandom random = new SplittableRandom(2);
    race("load", "loads by key", tables, table -> table.load(users.number(random)));
    race("unique", "lookups by email", tables, table -> table.byEmail(users.email(random)));
    race(
        "covering",
        "%d rows from the index of cities and ages".formatted(ROWS),
        tables,
        table -> table.covered(Users.city(random), Users.ageToBeginAt(random), ROWS));
    race(
        "range",
        "%d users through the index of cities and ages".formatted(ROWS),
        tables,
        table -> table.range(Users.city(random), Users.ageToBeginAt(random), ROWS));
  }

  /** A query. */
  @FunctionalInterface
  private interface Query {
    /** Asks once. */
    void ask(UserTable table) throws Exception;
  }

  private void race(String name, String what, List<UserTable> tables, Query query)
      throws Exception {
    results.ratio(name, againstBest(run(name, what, tables, query)));
  }

  private Race run(String name, String what, List<UserTable> tables, Query query) throws Exception {
    report.part(what);
    Race race = new Race(name);
    for (UserTable table : tables) {
      race.with(table.name(), Contestant.loop(() -> query.ask(table)));
    }
    run(race);
    return race;
  }

  /** Changed entries leave traces in a log-structured store until it compacts them away. */
  private void readsAfterSaves(List<UserTable> tables) throws Exception {
    SplittableRandom random = new SplittableRandom(5);
    Race race =
        run(
            "covering_after_saves",
            "%d rows from the index, after the saves".formatted(ROWS),
            tables,
            table -> table.covered(Users.city(random), Users.ageToBeginAt(random), ROWS));
    report.put("covering_after_saves_ratio", againstBest(race));
  }

  private static double againstBest(Race race) {
    return race.ratio("records", race.best("records"));
  }

  private void run(Race race) throws Exception {
    race.run(plan.rounds() * 2 + 1, plan.readSlice(), plan.warmUp(), report);
  }

  // ---- beside the store itself

  private void overRaw(RecordTable records, Scratch scratch) throws Exception {
    report.part("loads beside reads of the same keys");
    Key[] keys = new Key[users.size()];
    for (int i = 0; i < keys.length; i++) {
      long number = i;
      // A load reads the record last.
      keys[i] = Spy.on(records.database(), tx -> records.load(tx, number)).gets().getLast();
    }
    SplittableRandom random = new SplittableRandom(3);
    Race loads =
        new Race("load_over_raw")
            .with("records", Contestant.loop(() -> records.load(users.number(random))))
            .with("raw", Contestant.loop(() -> records.get(keys[random.nextInt(keys.length)])));
    run(loads);
    results.ratio("load_over_raw", loads.ratio("raw", "records"));

    report.part("saves, %d in a transaction, beside writes of the same keys".formatted(BATCH));
    try (EmbeddedDatabase raw = EmbeddedDatabase.open(scratch.path("raw"))) {
      copy(records.database(), raw);
      List<Spy> batches = new ArrayList<>();
      for (int i = 0; i < RAW_BATCHES; i++) {
        List<User> changed = users.changed(random, BATCH);
        batches.add(Spy.on(records.database(), tx -> records.save(tx, changed)));
      }
      Race saves =
          new Race("save_over_raw")
              .with("records", Contestant.loop(() -> records.save(users.changed(random, BATCH))))
              .with(
                  "raw",
                  Contestant.loop(
                      () -> raw.run(batches.get(random.nextInt(batches.size()))::replay)));
      saves.run(plan.rounds(), plan.commitSlice(), plan.warmUp(), report);
      results.ratio("save_over_raw", saves.ratio("raw", "records"));
    }
  }

  /** The raw writes go to a copy, as they would leave the indexes of the records wrong. */
  private static void copy(EmbeddedDatabase from, EmbeddedDatabase to) {
    Key next = Key.EMPTY;
    while (true) {
      KeyRange rest = KeyRange.of(next, Key.END);
      List<KeyValue> rows = from.read(tx -> tx.scan(rest).limit(COPY_ROWS).list());
      if (rows.isEmpty()) {
        return;
      }
      to.run(tx -> rows.forEach(row -> tx.set(row.key(), row.value())));
      next = rows.getLast().key().next();
    }
  }

  // ---- beside other codecs

  private void codecs() throws Exception {
    report.part("users to bytes and back");
    Codecs codecs = new Codecs();
    List<User> some = users.initial(0, LOAD_USERS);
    SplittableRandom random = new SplittableRandom(4);
    Race race =
        new Race("codec")
            .with("tidemark", each(() -> Codecs.tidemark(any(some, random))))
            .with("jackson", each(() -> codecs.jackson(any(some, random))))
            .with("protobuf", each(() -> Codecs.protobuf(any(some, random))));
    run(race);
    results.ratio("codec_jackson", race.ratio("tidemark", "jackson"));
    results.ratio("codec_protobuf", race.ratio("tidemark", "protobuf"));
  }

  private static User any(List<User> users, SplittableRandom random) {
    return users.get(random.nextInt(users.size()));
  }

  /** Many times between two looks at the clock, which takes about as long as a codec does. */
  private static Contestant each(Contestant.Operation operation) {
    return deadline ->
        BATCH
            * Contestant.loop(
                    () -> {
                      for (int i = 0; i < BATCH; i++) {
                        operation.run();
                      }
                    })
                .run(deadline);
  }
}
