package dev.tidemark.bench.partitions;

import dev.tidemark.bench.measure.Crew;
import dev.tidemark.bench.measure.Plan;
import dev.tidemark.bench.measure.Profiler;
import dev.tidemark.bench.measure.Report;
import dev.tidemark.bench.measure.Scratch;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.PartitionClient;
import java.time.Duration;

/**
 * Durable requests, then reads, of many callers through one client: where does their time go?
 * Manager, server and client are in one process, so that one recording shows all sides.
 */
public final class PartitionsProfile {
  private static final int CALLERS = 64;

  private final Plan plan;
  private final Report report;

  public PartitionsProfile(Plan plan, Report report) {
    this.plan = plan;
    this.report = report;
  }

  public void run() throws Exception {
    try (Scratch scratch = new Scratch();
        EmbeddedDatabase database = EmbeddedDatabase.open(scratch.path("partitions"));
        PartitionsCluster cluster = new PartitionsCluster(database, CounterActor.TYPE)) {
      cluster.server("a");
      try (PartitionClient client = cluster.client()) {
        profile(scratch, "durable requests", client, CounterActor.WRITE);
        profile(scratch, "reads", client, CounterActor.READ);
      }
    }
  }

  private void profile(Scratch scratch, String name, PartitionClient client, byte[] request)
      throws Exception {
    Crew.Work work =
        random ->
            client.send(
                CounterActor.TYPE, Key.utf8("k%04d".formatted(random.nextInt(CALLERS))), request);
    report.part("warming up");
    load(work, plan.hold());
    report.part("recording " + name);
    new Profiler(report)
        .profile(
            scratch.path(name.replace(' ', '-') + ".jfr"),
            () -> report.say("  %,.0f %s a second".formatted(load(work, plan.hold()), name)));
  }

  /** Operations a second. */
  private static double load(Crew.Work work, Duration time) throws Exception {
    long done = Crew.virtual(CALLERS, work).run(System.nanoTime() + time.toNanos());
    return done * 1e9 / time.toNanos();
  }
}
