package dev.tidemark.bench.engine;

import dev.tidemark.bench.measure.Crew;
import dev.tidemark.bench.measure.Plan;
import dev.tidemark.bench.measure.Profiler;
import dev.tidemark.bench.measure.Report;
import dev.tidemark.bench.measure.Scratch;
import dev.tidemark.bench.rows.Batch;
import dev.tidemark.bench.rows.Dataset;
import dev.tidemark.bench.rows.Engine;
import java.time.Duration;
import java.util.SplittableRandom;

/** A mixed load on the engine: where does the time of transactions go? */
public final class EngineProfile {
  private static final int WRITERS = 64;
  private static final int READERS = 1;
  private static final int READS = 5;
  private static final int SCAN_ROWS = 100;

  private final Plan plan;
  private final Report report;
  private final Dataset dataset;

  public EngineProfile(Plan plan, Report report) {
    this.plan = plan;
    this.report = report;
    this.dataset = new Dataset(plan.keys());
  }

  public void run() throws Exception {
    try (Scratch scratch = new Scratch();
        Engine engine = new Engine(scratch.path("engine"))) {
      report.part("loading %,d rows".formatted(plan.keys()));
      engine.load(dataset);
      report.part("warming up");
      mixed(engine, plan.warmUp());
      report.part("recording a mixed load");
      new Profiler(report).profile(scratch.path("profile.jfr"), () -> mixed(engine, plan.hold()));
    }
  }

  private void mixed(Engine engine, Duration time) throws Exception {
    long deadline = System.nanoTime() + time.toNanos();
    Thread readers =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    // On virtual threads readers that never wait would starve the writers.
                    Crew.platform(READERS, random -> scan(engine, random)).run(deadline);
                  } catch (Exception failure) {
                    throw new IllegalStateException("The readers failed", failure);
                  }
                });
    long commits = Crew.virtual(WRITERS, random -> readAndWrite(engine, random)).run(deadline);
    readers.join();
    report.say(
        "  %,.0f commits a second of %d reads and %d writes"
            .formatted(commits * 1e9 / time.toNanos(), READS, Batch.WRITES));
  }

  private void scan(Engine engine, SplittableRandom random) {
    engine.scan(dataset.randomStart(random, SCAN_ROWS), SCAN_ROWS);
  }

  private void readAndWrite(Engine engine, SplittableRandom random) {
    engine.readAndCommit(dataset, random, READS);
  }
}
