package dev.tidemark.bench;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Subspace;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.schema.ChangeStreamSpec;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.remote.RemoteDatabase;
import java.net.URI;
import java.util.List;

/**
 * What a change stream costs those who save: the same saves in two stores of one database, one of
 * which has a stream that watches everything.
 */
final class CaptureBench {
  private static final int BATCH = 100;
  private static final int WRITERS = 64;
  private static final int LOAD_USERS = 1_000;

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
            RemoteDatabase.connect(URI.create("tidemark://127.0.0.1:" + server.port(0)))) {
      results.ratio("capture_cost_served", cost(database, "capture_served"));
    }
  }

  /** The share that a save of one user takes longer, with many writers on {@code database}. */
  double cost(Database database, String name) throws Exception {
    RecordStore<User> plain = open(database, "plain", User_.SCHEMA);
    RecordStore<User> captured =
        open(database, "captured", User_.SCHEMA.withStreams(ChangeStreamSpec.of("all")));
    report.part("saves with and without a change stream, %d in a transaction".formatted(BATCH));
    Race batches =
        new Race(name + "_batch")
            .with("plain", Crew.virtual(1, r -> save(database, plain, users.changed(r, BATCH))))
            .with(
                "captured",
                Crew.virtual(1, r -> save(database, captured, users.changed(r, BATCH))));
    batches.run(plan.rounds(), plan.commitSlice(), plan.warmUp(), report);
    report.put(name + "_cost_batch", batches.ratio("plain", "captured") - 1);

    report.part("the same, one in a transaction, %d writers".formatted(WRITERS));
    Race singles =
        new Race(name)
            .with("plain", Crew.virtual(WRITERS, r -> save(database, plain, users.changed(r, 1))))
            .with(
                "captured",
                Crew.virtual(WRITERS, r -> save(database, captured, users.changed(r, 1))));
    singles.run(plan.rounds(), plan.commitSlice(), plan.warmUp(), report);
    return singles.ratio("plain", "captured") - 1;
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
