package dev.tidemark.bench.changes;

import dev.tidemark.bench.measure.Plan;
import dev.tidemark.bench.measure.Race;
import dev.tidemark.bench.measure.Report;
import dev.tidemark.bench.measure.Results;
import dev.tidemark.bench.measure.Scratch;
import dev.tidemark.bench.records.RecordsBench;
import dev.tidemark.bench.records.Users;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Change streams: how fast a reader catches up beside a scan of the log and beside PostgreSQL's
 * logical decoding, how soon it hears of a commit, what the stream costs those who save, and how a
 * reader of Spanner does beside Google's client.
 */
public final class ChangesBench {
  private static final int ROUNDS_OF_LOADS = 2;

  private final Plan plan;
  private final Report report;
  private final Results results;

  public ChangesBench(Plan plan, Report report) {
    this.plan = plan;
    this.report = report;
    this.results = new Results("changes", plan, report);
    results.order(
        "own_per_s",
        "own_over_raw",
        "p50_ms",
        "p99_ms",
        "capture_cost",
        "capture_cost_served",
        "debezium");
  }

  public void run(Path json) throws Exception {
    try (Scratch scratch = new Scratch()) {
      Users users = new Users(plan.keys());
      try (LoggedUsers logged = new LoggedUsers(scratch, users);
          DecodedWal rival = new DecodedWal(scratch.directory("postgres"))) {
        report.part("loading %,d users, a change each".formatted(users.size()));
        logged.load(users);
        report.part("the same into PostgreSQL");
        rival.load(users);
        catchUp(logged, rival, users.size());
        latency(logged);
      }
      new CaptureBench(plan, report, RecordsBench.users(plan)).run(scratch, results);
    }
    new SpannerBench(plan, report).run(results);
    results.write(json);
  }

  private void catchUp(LoggedUsers logged, DecodedWal rival, int changes) throws Exception {
    report.part(
        "reading them: order mode PARTITION with %d partitions, a scan of the same rows, and"
            .formatted(LoggedUsers.PARTITIONS));
    report.say("  " + DecodedWal.RIVAL);
    report.put("rival", DecodedWal.RIVAL);
    Map<String, List<Double>> rates = new LinkedHashMap<>();
    List<Double> overRaw = new ArrayList<>();
    List<Double> overRival = new ArrayList<>();
    int rounds = Math.max(1, plan.rounds() / ROUNDS_OF_LOADS);
    // The first round only warms up.
    for (int round = 0; round <= rounds; round++) {
      logged.reopen();
      double own = logged.read(changes);
      logged.reopen();
      double raw = logged.scan(changes);
      double decoded = rival.read(changes);
      if (round > 0 || plan.rounds() == 1) {
        note(rates, "reader", own);
        note(rates, "scan", raw);
        note(rates, "rival", decoded);
        overRaw.add(own / raw);
        overRival.add(own / decoded);
      }
    }
    rates.forEach(
        (name, list) ->
            report.say("  %-28s %,14.0f /s".formatted("catch up " + name, Race.median(list))));
    report.put("catch_up", rates);
    results.put("own_per_s", Math.round(Race.median(rates.getOrDefault("reader", List.of()))));
    results.ratio("own_over_raw", Race.median(overRaw));
    results.ratio("debezium", Race.median(overRival));
  }

  private static void note(Map<String, List<Double>> rates, String name, double rate) {
    rates.computeIfAbsent(name, any -> new ArrayList<>()).add(rate);
  }

  private void latency(LoggedUsers logged) throws Exception {
    report.part("from the commit to the handler, 2,000 commits a second");
    new ChangeLatency(logged, 1, plan.warmUp()).millis(0.5);
    double[] millis = new ChangeLatency(logged, 2, plan.hold()).millis(0.5, 0.99, 1);
    report.say(
        "  p50 %.2f ms, p99 %.2f ms, worst %.2f ms".formatted(millis[0], millis[1], millis[2]));
    report.put("latency_worst_ms", millis[2]);
    results.ratio("p50_ms", millis[0]);
    results.ratio("p99_ms", millis[1]);
  }
}
