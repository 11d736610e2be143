package dev.tidemark.bench.remote;

import dev.tidemark.bench.measure.Crew;
import dev.tidemark.bench.measure.Plan;
import dev.tidemark.bench.measure.Profiler;
import dev.tidemark.bench.measure.Report;
import dev.tidemark.bench.measure.Scratch;
import dev.tidemark.bench.rows.Dataset;
import dev.tidemark.bench.rows.Store;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.remote.DatabaseServer;
import dev.tidemark.remote.RemoteDatabase;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Remote reads, then remote commits: where does their time go? Client and server are in one process
 * here, so that one recording shows both sides.
 */
public final class RemoteProfile {
  private static final int CALLERS = 64;

  private final Plan plan;
  private final Report report;
  private final Dataset dataset;

  public RemoteProfile(Plan plan, Report report) {
    this.plan = plan;
    this.report = report;
    this.dataset = new Dataset(plan.keys());
  }

  public void run() throws Exception {
    try (Scratch scratch = new Scratch();
        EmbeddedDatabase database = EmbeddedDatabase.open(scratch.path("engine"));
        DatabaseServer server = DatabaseServer.open(database);
        Store remote = new Store(RemoteDatabase.connect(server.uri()))) {
      report.part("loading %,d rows".formatted(plan.keys()));
      remote.load(dataset);
      profile(scratch, "reads", random -> remote.get(dataset.random(random)));
      profile(scratch, "commits", random -> upsert(remote, random));
    }
  }

  private void upsert(Store remote, SplittableRandom random) {
    remote.set(dataset.random(random), Dataset.value(random));
  }

  private void profile(Scratch scratch, String name, Crew.Work work) throws Exception {
    report.part("warming up");
    load(work, plan.warmUp());
    report.part("recording " + name);
    new Profiler(report)
        .profile(
            scratch.path(name + ".jfr"),
            () -> report.say("  %,.0f %s a second".formatted(load(work, plan.hold()), name)));
  }

  /** Operations a second. */
  private static double load(Crew.Work work, Duration time) throws Exception {
    long done = Crew.virtual(CALLERS, work).run(System.nanoTime() + time.toNanos());
    return done * 1e9 / time.toNanos();
  }
}
