package dev.tidemark.bench.changes;

import dev.tidemark.bench.measure.Contestant;
import dev.tidemark.bench.measure.Crew;
import dev.tidemark.bench.measure.Plan;
import dev.tidemark.bench.measure.Race;
import dev.tidemark.bench.measure.Report;
import dev.tidemark.bench.measure.Results;
import dev.tidemark.bench.measure.Scratch;
import dev.tidemark.bench.records.User;
import dev.tidemark.bench.records.User_;
import dev.tidemark.bench.records.Users;
import dev.tidemark.bench.server.ServerChild;
import dev.tidemark.bench.server.ServerProcess;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.schema.ChangeStreamSpec;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.remote.RemoteDatabase;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * What a change stream costs those who save: the same saves in two stores of one database, one of
 * which has a stream that watches everything.
 */
final class CaptureBench {
  private static final int WRITERS = 64;

  /** Saves that are captured run through twice the code, which the compiler has to see first. */
  private static final int WARM_UPS = 4;

  private static final Duration CONNECT = Duration.ofMinutes(1);
  private static final int LOAD_USERS = 200;

  private final Plan plan;
  private final Report report;
  private final Users users;

  CaptureBench(Plan plan, Report report, Users users) {
    this.plan = plan;
    this.report = report;
    this.users = users;
  }

  /** Measures on the embedded engine, and on one that another process serves. */
  void run(Scratch scratch, Results results) throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(scratch.path("capture"))) {
      results.ratio("capture_cost", cost(database, "capture"));
    }
    try (ServerProcess server =
            ServerProcess.start(
                scratch.path("capture-server-errors.txt"),
                ServerChild.DATABASE,
                scratch.path("capture-served").toString());
        Database database =
            RemoteDatabase.connect(
                URI.create("tidemark://127.0.0.1:" + server.port(0)),
                options -> options.withConnectTimeout(CONNECT))) {
      results.ratio("capture_cost_served", cost(database, "capture_served"));
    }
  }

  /**
   * Saves of one user in a transaction, by many writers.
   *
   * @param plain in a store without a stream
   * @param captured in one with a stream
   */
  record Pair(Contestant plain, Contestant captured) {}

  /** Loads the two stores into {@code database}. */
  Pair open(Database database) {
    RecordStore<User> plain = open(database, "plain", User_.SCHEMA);
    RecordStore<User> captured =
        open(database, "captured", User_.SCHEMA.withStreams(ChangeStreamSpec.of("all")));
    return new Pair(saves(database, plain), saves(database, captured));
  }

  private Contestant saves(Database database, RecordStore<User> store) {
    return Crew.virtual(WRITERS, random -> save(database, store, users.changed(random, 1)));
  }

  /** The share that a save of one user takes longer, with many writers on {@code database}. */
  double cost(Database database, String name) throws Exception {
    Pair pair = open(database);
    report.part(
        "saves with and without a stream, one a transaction, %d writers".formatted(WRITERS));
    Race race = new Race(name).with("plain", pair.plain()).with("captured", pair.captured());
    race.run(plan.rounds(), plan.commitSlice(), plan.warmUp().multipliedBy(WARM_UPS), report);
    return race.ratio("plain", "captured") - 1;
  }

  private RecordStore<User> open(Database database, String name, Schema schema) {
    RecordStore<User> store =
        RecordSpace.open(database, schema, Subspace.of(name)).store(User_.TYPE);
    report.part("loading %,d users into the store %s".formatted(users.size(), name));
    for (int from = 0; from < users.size(); from += LOAD_USERS) {
      save(database, store, users.initial(from, LOAD_USERS));
    }
    return store;
  }

  private static void save(Database database, RecordStore<User> store, List<User> some) {
    database.run(tx -> some.forEach(user -> store.save(tx, user)));
  }
}
