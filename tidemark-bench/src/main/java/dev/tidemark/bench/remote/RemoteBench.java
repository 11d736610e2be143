package dev.tidemark.bench.remote;

import com.apple.foundationdb.Database;
import dev.tidemark.bench.measure.Contestant;
import dev.tidemark.bench.measure.Crew;
import dev.tidemark.bench.measure.Plan;
import dev.tidemark.bench.measure.Race;
import dev.tidemark.bench.measure.Report;
import dev.tidemark.bench.measure.Results;
import dev.tidemark.bench.measure.Scratch;
import dev.tidemark.bench.rows.Dataset;
import dev.tidemark.bench.rows.Engine;
import dev.tidemark.bench.rows.Store;
import dev.tidemark.bench.server.Echo;
import dev.tidemark.bench.server.ServerChild;
import dev.tidemark.bench.server.ServerProcess;
import dev.tidemark.foundationdb.FdbFacade;
import dev.tidemark.remote.RemoteDatabase;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * The run {@code bench remote}.
 *
 * <p>Its question: what does a program pay for sharing one store with other processes, in calls and
 * against the engine in its own process, and what would it get from PostgreSQL in the same place?
 * And what does the FoundationDB interface cost on top of the engine?
 */
public final class RemoteBench {
  private static final int CALLERS = 64;
  private static final int SCAN_ROWS = 10_000;

  /** Two processes have to compile what they do. */
  private static final int WARM_UPS = 3;

  private final Plan plan;
  private final Report report;
  private final Dataset dataset;
  private final Results results;

  public RemoteBench(Plan plan, Report report) {
    this.plan = plan;
    this.report = report;
    this.dataset = new Dataset(plan.keys());
    this.results = new Results("remote", plan, report);
  }

  public void run(Path json) throws Exception {
    try (Scratch scratch = new Scratch()) {
      Path files = scratch.path("engine");
      load(files);
      Path served = scratch.copy(files, "served");
      try (Engine engine = new Engine(files);
          ServerProcess server =
              ServerProcess.start(
                  scratch.path("server-errors.txt"), ServerChild.DATABASE, served.toString());
          Store remote = connect(server)) {
        fillCaches(engine, remote);
        warmUp(remote);
        reads(remote, scratch);
        commits(engine, remote);
        scans(engine, remote);
        facade(engine);
        postgres(remote, scratch);
      }
    }
    results.write(json);
  }

  private static Store connect(ServerProcess server) {
    return new Store(RemoteDatabase.connect(URI.create("tidemark://127.0.0.1:" + server.port(0))));
  }

  private void load(Path files) {
    report.part("loading %,d rows".formatted(plan.keys()));
    try (Engine engine = new Engine(files)) {
      engine.load(dataset);
    }
  }

  private void fillCaches(Store engine, Store remote) {
    report.part("filling the caches");
    long rows = engine.scanAll();
    long served = remote.scanAll();
    if (rows != served) {
      throw new IllegalStateException("The server has %,d rows, not %,d".formatted(served, rows));
    }
  }

  /**
   * The server has done nothing but scans so far; the first race must not be its lesson. Two
   * processes share the cores with the compilers of both, so that this takes its time.
   */
  private void warmUp(Store remote) throws Exception {
    report.part("warming up the server");
    for (int i = 0; i < WARM_UPS; i++) {
      Crew.virtual(CALLERS, r -> remote.get(dataset.random(r))).run(after(plan.hold()));
      Crew.virtual(CALLERS, random -> upsert(remote, random)).run(after(plan.hold()));
    }
  }

  private static long after(Duration time) {
    return System.nanoTime() + time.toNanos();
  }

  private void reads(Store remote, Scratch scratch) throws Exception {
    report.part("point reads, %d callers".formatted(CALLERS));
    Path errors = scratch.path("echo-errors.txt");
    try (ServerProcess server = ServerProcess.start(errors, ServerChild.ECHO);
        Echo threads = new Echo(server.port(0));
        Echo direct = new Echo(server.port(1))) {
      Race race =
          new Race("read")
              .with("remote", Crew.virtual(CALLERS, r -> remote.get(dataset.random(r))))
              .with("echo", Crew.virtual(CALLERS, r -> threads.get(dataset.random(r))))
              .with("echo_direct", Crew.virtual(CALLERS, r -> direct.get(dataset.random(r))));
      run(race, plan.rounds() * 2 + 1, plan.readSlice());
      results.ratio("read", race.ratio("remote", race.best("remote")));
    }
  }

  private void commits(Store engine, Store remote) throws Exception {
    report.part("durable commits of one write, %d callers".formatted(CALLERS));
    Race race =
        new Race("commit")
            .with("remote", Crew.virtual(CALLERS, random -> upsert(remote, random)))
            .with("embedded", Crew.virtual(CALLERS, random -> upsert(engine, random)));
    run(race, plan.rounds(), plan.commitSlice());
    results.ratio("commit", race.ratio("remote", "embedded"));
  }

  private void upsert(Store store, SplittableRandom random) {
    store.set(dataset.random(random), Dataset.value(random));
  }

  private void scans(Store engine, Store remote) throws Exception {
    int rows = Math.min(SCAN_ROWS, dataset.size() / 2);
    report.part("scans of %,d rows, one caller".formatted(rows));
    SplittableRandom random = new SplittableRandom(2);
    Race race =
        new Race("scan")
            .with(
                "remote",
                Contestant.loop(() -> remote.scan(dataset.randomStart(random, rows), rows)))
            .with(
                "embedded",
                Contestant.loop(() -> engine.scan(dataset.randomStart(random, rows), rows)));
    run(race, plan.rounds() * 2 + 1, plan.readSlice());
    results.ratio("scan", race.ratio("remote", "embedded"));
  }

  private void facade(Engine engine) throws Exception {
    report.part("point reads through the FoundationDB interface, one caller");
    SplittableRandom random = new SplittableRandom(3);
    Database facade = FdbFacade.of(engine.database());
    Race race =
        new Race("facade")
            .with(
                "facade",
                Contestant.loop(
                    () -> {
                      byte[] key = dataset.random(random);
                      facade.read(tr -> tr.get(key).join());
                    }))
            .with("embedded", Contestant.loop(() -> engine.get(dataset.random(random))));
    run(race, plan.rounds() * 2 + 1, plan.readSlice());
    results.ratio("facade", race.ratio("facade", "embedded"));
  }

  private void postgres(Store remote, Scratch scratch) throws Exception {
    report.part("loading PostgreSQL");
    try (Postgres postgres = Postgres.start(scratch.directory("postgres"), CALLERS)) {
      report.put("postgres", postgres.settings());
      postgres.load(dataset);

      report.part("point reads beside PostgreSQL, %d callers".formatted(CALLERS));
      Race reads =
          against(postgres, "pg_read", (caller, random) -> caller.get(dataset.random(random)))
              .with("remote", Crew.virtual(CALLERS, r -> remote.get(dataset.random(r))));
      run(reads, plan.rounds(), plan.readSlice());
      results.ratio("pg_read", reads.ratio("remote", reads.best("remote")));

      report.part("upserts beside PostgreSQL, %d callers".formatted(CALLERS));
      Race upserts =
          against(
                  postgres,
                  "pg_upsert",
                  (caller, random) -> caller.set(dataset.random(random), Dataset.value(random)))
              .with("remote", Crew.virtual(CALLERS, random -> upsert(remote, random)));
      run(upserts, plan.rounds(), plan.commitSlice());
      results.ratio("pg_upsert", upserts.ratio("remote", upserts.best("remote")));
    }
  }

  /** What a caller of PostgreSQL does. */
  @FunctionalInterface
  private interface Statement {
    /** Does it once. */
    void run(Postgres.Caller caller, SplittableRandom random) throws Exception;
  }

  /** PostgreSQL with both kinds of threads; the faster one counts. */
  private static Race against(Postgres postgres, String name, Statement statement) {
    return new Race(name)
        .with("platform_threads", Crew.platformEach(CALLERS, i -> calling(postgres, i, statement)))
        .with("virtual_threads", Crew.virtualEach(CALLERS, i -> calling(postgres, i, statement)));
  }

  private static Crew.Work calling(Postgres postgres, int number, Statement statement) {
    Postgres.Caller caller = postgres.caller(number);
    return random -> statement.run(caller, random);
  }

  private void run(Race race, int rounds, Duration slice) throws Exception {
    race.run(rounds, slice, plan.warmUp().multipliedBy(WARM_UPS), report);
  }
}
