package dev.tidemark.bench.partitions;

import dev.tidemark.bench.measure.Crew;
import dev.tidemark.bench.measure.Plan;
import dev.tidemark.bench.measure.Race;
import dev.tidemark.bench.measure.Report;
import dev.tidemark.bench.measure.Results;
import dev.tidemark.bench.measure.Scratch;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.partitions.internal.engine.Engine;
import dev.tidemark.partitions.internal.engine.EngineOptions;
import dev.tidemark.partitions.internal.log.Append;
import dev.tidemark.partitions.internal.log.Journal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Partitioned actors. The engine in this process, one partition, with a log that takes 500 µs for a
 * batch: how many writes and reads a second, by how many callers. Then a cluster over loopback.
 */
public final class PartitionsBench {
  private static final Duration APPEND = Duration.ofNanos(500_000);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Key KEY = Key.utf8("key");
  private static final String PARTITION = "p1";
  private static final int READERS = 64;

  private final Plan plan;
  private final Report report;

  public PartitionsBench(Plan plan, Report report) {
    this.plan = plan;
    this.report = report;
  }

  public void run(Path json) throws Exception {
    Results results = new Results("partitions", plan, report);
    report.part("the log alone, which no single caller can beat");
    logAlone();
    report.part("writes with a log that takes " + APPEND.toNanos() / 1_000 + " µs a batch");
    results.put("one", whole(writes(1)));
    results.put("c256", whole(writes(256)));
    results.put("c1024", whole(writes(1_024)));
    report.part("reads");
    results.put("reads", whole(reads()));
    cluster(results);
    results.write(json);
  }

  private void cluster(Results results) throws Exception {
    PartitionsClusterBench bench = new PartitionsClusterBench(plan, report);
    try (Scratch scratch = new Scratch()) {
      report.part("a cluster over loopback, every commit synced");
      results.ratio("durable64", bench.durable(scratch));
      results.ratio("pekko", bench.pekko(scratch));
      results.put("migrate_pause_ms", whole(bench.migrationPause(scratch)));
      results.ratio("failover_s", bench.failover(scratch));
    }
    report.part("a routing table to its watchers");
    boolean tiny = plan.equals(Plan.TINY);
    results.ratio("push_s", new TablePush(tiny ? 100 : 10_000, tiny ? 5 : 500, report).seconds());
  }

  private static String whole(double rate) {
    return Long.toString(Math.round(rate));
  }

  private double writes(int callers) throws Exception {
    SlowJournals journals = new SlowJournals(CounterActor.NAME, APPEND);
    try (Engine engine = engine(journals)) {
      String name = "writes by " + callers;
      Race race =
          new Race(name)
              .with("engine", Crew.virtual(callers, random -> send(engine, CounterActor.WRITE)))
              .run(plan.rounds(), plan.commitSlice(), plan.warmUp(), report);
      double batch = (double) journals.entries.sum() / Math.max(1, journals.batches.sum());
      report.say("  %-28s %,14.1f".formatted("entries a batch", batch));
      report.put(name + " entries a batch", batch);
      return race.rate("engine");
    }
  }

  private void logAlone() throws Exception {
    Journal journal = new SlowJournals(CounterActor.NAME, APPEND).own(PARTITION);
    List<Append> one = List.of(new Append(CounterActor.WRITE, null));
    new Race("appends")
        .with("log alone", Crew.virtual(1, random -> journal.append(1, one)))
        .run(plan.rounds(), plan.commitSlice(), plan.warmUp(), report);
  }

  private double reads() throws Exception {
    try (Engine engine = engine(new SlowJournals(CounterActor.NAME, APPEND))) {
      return new Race("reads by " + READERS)
          .with("engine", Crew.virtual(READERS, random -> send(engine, CounterActor.READ)))
          .run(plan.rounds(), plan.readSlice(), plan.warmUp(), report)
          .rate("engine");
    }
  }

  private static Engine engine(SlowJournals journals) {
    Engine engine =
        new Engine(
            List.of(CounterActor.TYPE),
            journals,
            EngineOptions.DEFAULTS,
            () -> true,
            TimeSource.system());
    engine.start();
    return engine;
  }

  private static void send(Engine engine, byte[] request) {
    engine.send(CounterActor.NAME, PARTITION, 1, KEY, Optional.empty(), request, PATIENCE);
  }
}
