package dev.tidemark.bench.engine;

import dev.tidemark.bench.measure.Contestant;
import dev.tidemark.bench.measure.Crew;
import dev.tidemark.bench.measure.Memory;
import dev.tidemark.bench.measure.Plan;
import dev.tidemark.bench.measure.Race;
import dev.tidemark.bench.measure.Report;
import dev.tidemark.bench.measure.Results;
import dev.tidemark.bench.measure.Scratch;
import dev.tidemark.bench.rows.Batch;
import dev.tidemark.bench.rows.Dataset;
import dev.tidemark.bench.rows.Engine;
import dev.tidemark.bench.rows.GroupCommit;
import dev.tidemark.bench.rows.Rival;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.embedded.internal.resolve.ResolverLoad;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Transaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.rocksdb.RocksDBException;

/**
 * The run {@code bench engine}.
 *
 * <p>Its question: what does a program pay for transactions on top of RocksDB, and what would it
 * get from the other embedded stores of Java?
 */
public final class EngineBench {
  private static final int WRITERS = 64;
  private static final int SCAN_ROWS = 100;
  private static final int GETS_TOGETHER = 10;
  private static final int RANGES = 5;
  private static final int DRAINED_ROWS = 100_000;
  private static final int DRAINED_TRIES = 200;
  private static final long SETTLE_MILLIS = 100;

  private final Plan plan;
  private final Report report;
  private final Dataset dataset;
  private final Results results;

  public EngineBench(Plan plan, Report report) {
    this.plan = plan;
    this.report = report;
    this.dataset = new Dataset(plan.keys());
    this.results = new Results("engine", plan, report);
  }

  public void run(Path json) throws Exception {
    try (Scratch scratch = new Scratch()) {
      Path engineFiles = scratch.path("engine");
      load(engineFiles);
      hold(scratch.copy(engineFiles, "held"));
      Path rawFiles = rocksDirectory(scratch.copy(engineFiles, "raw"));
      try (Engine engine = new Engine(engineFiles);
          RawRocks raw = new RawRocks(rawFiles)) {
        settle(engine, raw);
        reads(engine, raw);
        commits(engine, raw);
        resolver();
        rivals(engine, scratch);
        drained(scratch);
        report.put("engine_statistics", engine.database().statistics().toString());
      }
    }
    results.write(json);
  }

  private void load(Path files) throws Exception {
    report.part("loading %,d rows".formatted(plan.keys()));
    try (Engine engine = new Engine(files)) {
      long begin = System.nanoTime();
      memory("memory_load", () -> engine.load(dataset));
      report.put("load_rows_per_s", plan.keys() * 1e9 / (System.nanoTime() - begin));
    }
  }

  /** Memory comes first, while nothing else is in the process, and on files that go afterwards. */
  private void hold(Path files) throws Exception {
    report.part("writing without and with a reader of an old version");
    try (Engine engine = new Engine(files)) {
      memory("memory_writing", () -> write(engine));
      try (Transaction reader = engine.database().begin()) {
        reader.get(Key.wrap(dataset.at(0)));
        memory("memory_old_reader", () -> write(engine));
      }
    }
  }

  private void write(Engine engine) throws Exception {
    Crew.virtual(WRITERS, random -> engine.commit(Batch.random(dataset, random)))
        .run(System.nanoTime() + plan.hold().toNanos());
  }

  private void memory(String name, Contestant.Operation work) throws Exception {
    try (Memory memory = new Memory()) {
      work.run();
      Map<String, Object> numbers = memory.peaks();
      numbers.put("live_heap_mib", Memory.liveHeap());
      report.say("  %-28s %s".formatted(name, numbers));
      report.put(name, numbers);
    }
  }

  /** Both sides with all rows in their caches and no compaction under way. */
  private void settle(Engine engine, RawRocks raw) throws RocksDBException, InterruptedException {
    report.part("filling the caches");
    long rows = engine.scanAll();
    if (raw.scanAll() < rows) {
      throw new IllegalStateException("The copy has fewer rows than the %,d".formatted(rows));
    }
    raw.awaitCompactions();
    // A commit makes readers leave the version whose files have been compacted away meanwhile.
    long patience = System.nanoTime() + plan.hold().toNanos();
    SplittableRandom random = new SplittableRandom(5);
    do {
      Batch batch = Batch.random(dataset, random);
      engine.commit(batch);
      raw.commit(batch);
      Thread.sleep(SETTLE_MILLIS);
    } while (engine.database().statistics().fileBytes() > raw.fileBytes() * 1.1
        && System.nanoTime() < patience);
    report.put("engine_file_bytes", engine.database().statistics().fileBytes());
    report.put("raw_file_bytes", raw.fileBytes());
  }

  private void reads(Engine engine, RawRocks raw) throws Exception {
    report.part("point reads");
    SplittableRandom random = new SplittableRandom(2);
    Race get =
        new Race("get")
            .with("raw", Contestant.loop(() -> raw.get(dataset.random(random))))
            .with("engine", Contestant.loop(() -> engine.get(dataset.random(random))))
            .with(
                "engine_ten_together",
                deadline ->
                    GETS_TOGETHER
                        * Contestant.loop(() -> engine.get(dataset, random, GETS_TOGETHER))
                            .run(deadline))
            .run(plan.rounds() * 2 + 1, plan.readSlice(), plan.warmUp(), report);
    results.ratio("get", get.ratio("engine", "raw"));
    report.put("get_ten_together_ratio", get.ratio("engine_ten_together", "raw"));

    report.part("scans of %d rows".formatted(SCAN_ROWS));
    Race scan =
        new Race("scan")
            .with(
                "raw",
                Contestant.loop(() -> raw.scan(dataset.randomStart(random, SCAN_ROWS), SCAN_ROWS)))
            .with(
                "engine",
                Contestant.loop(
                    () -> engine.scan(dataset.randomStart(random, SCAN_ROWS), SCAN_ROWS)))
            .run(plan.rounds() * 2 + 1, plan.readSlice(), plan.warmUp(), report);
    results.ratio("scan", scan.ratio("engine", "raw"));
  }

  private void commits(Engine engine, RawRocks raw) throws Exception {
    report.part("durable commits of %d writes, %d writers".formatted(Batch.WRITES, WRITERS));
    Groups virtual = new Groups(engine);
    Groups platform = new Groups(engine);
    Race many =
        new Race("commit64")
            .with("raw", Crew.platform(WRITERS, r -> raw.commit(Batch.random(dataset, r))))
            .with(
                "engine",
                virtual.over(Crew.virtual(WRITERS, r -> engine.commit(Batch.random(dataset, r)))))
            .with(
                "engine_platform_threads",
                platform.over(Crew.platform(WRITERS, r -> engine.commit(Batch.random(dataset, r)))))
            .run(plan.rounds(), plan.commitSlice(), plan.warmUp(), report);
    results.ratio("commit64", many.ratio("engine", "raw"));
    report.say(
        "  commits in a group: %.1f of virtual threads, %.1f of platform threads"
            .formatted(virtual.size(), platform.size()));
    report.put("commit64_group", virtual.size());
    report.put("commit64_platform_group", platform.size());
    report.put("commit64_platform_ratio", many.ratio("engine_platform_threads", "raw"));

    report.part("durable commits of %d writes, one writer".formatted(Batch.WRITES));
    SplittableRandom random = new SplittableRandom(3);
    Race one =
        new Race("commit1")
            .with("raw", Contestant.loop(() -> raw.commit(Batch.random(dataset, random))))
            .with("engine", Contestant.loop(() -> engine.commit(Batch.random(dataset, random))))
            .run(plan.rounds(), plan.commitSlice(), plan.warmUp(), report);
    results.ratio("commit1", one.ratio("engine", "raw"));
  }

  private void resolver() {
    byte[][] sorted = new byte[dataset.size()][];
    for (int i = 0; i < sorted.length; i++) {
      sorted[i] = dataset.sorted(i);
    }
    report.part("conflict checks");
    results.put("conflicts_per_s", resolver("conflicts_per_s", sorted, 0));
    results.put("range_conflicts_per_s", resolver("range_conflicts_per_s", sorted, RANGES));
  }

  private long resolver(String name, byte[][] sorted, int ranges) {
    ResolverLoad load = new ResolverLoad(sorted, ranges, 4);
    List<Double> rates = new ArrayList<>();
    long end = System.nanoTime() + plan.commitSlice().multipliedBy(4).toNanos();
    do {
      rates.add(ResolverLoad.portion() * 1e9 / load.nanosPerPortion());
    } while (System.nanoTime() < end);
    report.put(name, rates);
    report.say("  %-28s %,14.0f /s".formatted(name, Race.median(rates)));
    return Math.round(Race.median(rates));
  }

  /** In stores of their own, since the rows of the others are no business of it. */
  private void drained(Scratch scratch) {
    int rows = Math.min(plan.keys(), DRAINED_ROWS);
    int tries = Math.min(plan.keys() / 100, DRAINED_TRIES);
    report.part("reads beside %,d cleared rows, without and with a row cache".formatted(rows));
    double slowest = 0;
    for (boolean cached : List.of(false, true)) {
      String name = cached ? "drained_cached" : "drained_stored";
      try (EmbeddedDatabase database =
          EmbeddedDatabase.open(scratch.path(name), o -> cached ? o : o.withRowCacheBytes(0))) {
        slowest = Math.max(slowest, new DrainedRows(database, rows, tries, name, report).ratio());
      }
    }
    results.ratio("drained", slowest);
  }

  private void rivals(Engine engine, Scratch scratch) throws Exception {
    report.part("loading the rivals");
    Path files = scratch.directory("rivals");
    try (Rival sqlite = new SqliteRival(files);
        Rival mvStore = new MvStoreRival(files);
        Rival xodus = new XodusRival(files)) {
      Race race =
          new Race("rival64")
              .with("engine", Crew.virtual(WRITERS, r -> engine.commit(Batch.random(dataset, r))));
      List<GroupCommit<Batch>> groups = new ArrayList<>();
      try {
        for (Rival rival : List.of(sqlite, mvStore, xodus)) {
          rival.load(dataset);
          report.part("loaded " + rival.name());
          GroupCommit<Batch> group = new GroupCommit<>(rival::commit);
          groups.add(group);
          enter(race, rival, group);
        }
        report.part("durable commits of the rivals");
        race.run(plan.rounds() / 2 + 1, plan.commitSlice(), plan.warmUp(), report);
      } finally {
        for (GroupCommit<Batch> group : groups) {
          group.close();
        }
      }
      report.put("rival64_best", race.best("engine"));
      results.ratio("rival64", race.ratio("engine", race.best("engine")));
    }
  }

  /** Each rival in the way that may suit it best: commit by commit, and in groups. */
  private void enter(Race race, Rival rival, GroupCommit<Batch> group) {
    ReentrantLock turn = new ReentrantLock();
    race.with(
            rival.name() + "_single",
            Crew.platform(
                WRITERS,
                random -> {
                  Batch batch = Batch.random(dataset, random);
                  turn.lock();
                  try {
                    rival.commit(List.of(batch));
                  } finally {
                    turn.unlock();
                  }
                }))
        .with(
            rival.name() + "_group",
            Crew.virtual(WRITERS, random -> group.commit(Batch.random(dataset, random))));
  }

  /** Where below {@code directory} the files of RocksDB are. */
  private static Path rocksDirectory(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> file.endsWith("CURRENT"))
          .map(file -> file.toAbsolutePath().getParent())
          .findFirst()
          .orElseThrow();
    }
  }
}
