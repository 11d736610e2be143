package dev.tidemark.bench.records;

import dev.tidemark.bench.measure.Contestant;
import dev.tidemark.bench.measure.Crew;
import dev.tidemark.bench.measure.Plan;
import dev.tidemark.bench.measure.Profiler;
import dev.tidemark.bench.measure.Report;
import dev.tidemark.bench.measure.Scratch;
import java.time.Duration;
import java.util.SplittableRandom;

/** Loads, ranges and saves of users: where does their time go? */
public final class RecordsProfile {
  private static final int WRITERS = 64;
  private static final int BATCH = 100;
  private static final int ROWS = 50;

  private final Plan plan;
  private final Report report;
  private final Users users;

  public RecordsProfile(Plan plan, Report report) {
    this.plan = plan;
    this.report = report;
    this.users = RecordsBench.users(plan);
  }

  public void run() throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    try (Scratch scratch = new Scratch();
        RecordTable records = new RecordTable(scratch.path("records"))) {
      report.part("loading %,d users".formatted(users.size()));
      RecordsBench.load(users, records);
      profile(scratch, "loads", Contestant.loop(() -> records.load(users.number(random))));
      profile(
          scratch,
          "covering",
          Contestant.loop(
              () -> records.covered(Users.city(random), Users.ageToBeginAt(random), ROWS)));
      profile(
          scratch,
          "ranges",
          Contestant.loop(
              () -> records.range(Users.city(random), Users.ageToBeginAt(random), ROWS)));
      profile(
          scratch, "batches", Contestant.loop(() -> records.save(users.changed(random, BATCH))));
      profile(scratch, "saves", Crew.virtual(WRITERS, r -> records.save(users.changed(r, 1))));
    }
  }

  private void profile(Scratch scratch, String name, Contestant load) throws Exception {
    report.part("recording " + name);
    rate(load, plan.warmUp());
    new Profiler(report)
        .profile(
            scratch.path(name + ".jfr"),
            () -> report.say("  %,.0f %s a second".formatted(rate(load, plan.hold()), name)));
  }

  private static double rate(Contestant load, Duration time) throws Exception {
    return load.run(System.nanoTime() + time.toNanos()) * 1e9 / time.toNanos();
  }
}
