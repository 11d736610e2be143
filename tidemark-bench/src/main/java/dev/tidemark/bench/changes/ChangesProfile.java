package dev.tidemark.bench.changes;

import dev.tidemark.bench.measure.Contestant;
import dev.tidemark.bench.measure.Plan;
import dev.tidemark.bench.measure.Profiler;
import dev.tidemark.bench.measure.Report;
import dev.tidemark.bench.measure.Scratch;
import dev.tidemark.bench.records.RecordsBench;
import dev.tidemark.bench.records.Users;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.remote.DatabaseServer;
import dev.tidemark.remote.RemoteDatabase;
import java.time.Duration;

/** Saves with and without a change stream, and a reader that catches up: where the time goes. */
public final class ChangesProfile {
  private final Plan plan;
  private final Report report;

  public ChangesProfile(Plan plan, Report report) {
    this.plan = plan;
    this.report = report;
  }

  public void run() throws Exception {
    try (Scratch scratch = new Scratch()) {
      CaptureBench capture = new CaptureBench(plan, report, RecordsBench.users(plan));
      try (EmbeddedDatabase database = EmbeddedDatabase.open(scratch.path("capture"))) {
        CaptureBench.Pair pair = capture.open(database);
        profile(scratch, "plain saves", pair.plain());
        profile(scratch, "captured saves", pair.captured());
      }
      try (EmbeddedDatabase database = EmbeddedDatabase.open(scratch.path("served"));
          DatabaseServer server = DatabaseServer.open(database);
          RemoteDatabase remote = RemoteDatabase.connect(server.uri())) {
        CaptureBench.Pair pair = capture.open(remote);
        profile(scratch, "plain saves, served", pair.plain());
        profile(scratch, "captured saves, served", pair.captured());
      }
      Users users = new Users(plan.keys());
      try (LoggedUsers logged = new LoggedUsers(scratch, users)) {
        report.part("loading %,d users, a change each".formatted(users.size()));
        logged.load(users);
        profile(
            scratch,
            "changes read",
            deadline -> {
              long count = 0;
              while (System.nanoTime() < deadline) {
                logged.read(users.size());
                count += users.size();
              }
              return count;
            });
      }
    }
  }

  private void profile(Scratch scratch, String name, Contestant load) throws Exception {
    report.part("recording " + name);
    rate(load, plan.warmUp());
    new Profiler(report)
        .profile(
            scratch.path(name.replace(' ', '-') + ".jfr"),
            () -> report.say("  %,.0f %s a second".formatted(rate(load, plan.hold()), name)));
  }

  private static double rate(Contestant load, Duration time) throws Exception {
    long begin = System.nanoTime();
    return load.run(begin + time.toNanos()) * 1e9 / (System.nanoTime() - begin);
  }
}
