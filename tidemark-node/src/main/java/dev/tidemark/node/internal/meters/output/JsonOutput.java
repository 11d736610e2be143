package dev.tidemark.node.internal.meters.output;

import dev.tidemark.node.internal.console.Json;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A run as events, one JSON object a line; its progress every five seconds. */
public final class JsonOutput implements DemoOutput {
  private static final Duration PROGRESS_EVERY = Duration.ofSeconds(5);

  private final PrintStream out;
  private double told = Double.NEGATIVE_INFINITY;

  /** Prints to {@code out}. */
  public JsonOutput(PrintStream out) {
    this.out = out;
  }

  private void print(@Nullable Object... namesAndValues) {
    out.println(Json.of(Json.object(namesAndValues)));
    out.flush();
  }

  @Override
  public void opened(Store store) {
    print(
        "event", "opened",
        "seconds", store.seconds(),
        "meters", store.meters(),
        "directory", store.directory(),
        "address", store.address(),
        "console", store.console(),
        "earlier_readings", store.earlier(),
        "threshold", store.threshold(),
        "change_threshold", store.change());
  }

  @Override
  public void started(long worker, Path warehouse) {
    print("event", "started", "worker_pid", worker, "warehouse", warehouse);
  }

  @Override
  public void stuck(Path directory) {
    print("event", "stuck", "directory", directory);
  }

  @Override
  public void happened(double seconds, String what) {
    print("event", "happened", "at_seconds", Json.rounded(seconds), "what", what);
  }

  @Override
  public void progressed(Moment moment) {
    if (moment.seconds() - told < PROGRESS_EVERY.toSeconds()) {
      return;
    }
    told = moment.seconds();
    Progress progress = moment.progress();
    print(
        "event", "progress",
        "at_seconds", Json.rounded(moment.seconds()),
        "readings_per_s", Math.round(moment.rate()),
        "published", progress.published(),
        "saved", progress.saved(),
        "counted", progress.counted(),
        "loaded", progress.loaded(),
        "alerts", progress.alerts(),
        "partitions", progress.partitions());
  }

  @Override
  public void audited(String step) {
    // Scripts wait for what it found.
  }

  @Override
  public void ended(Town town, AuditReport audit, boolean kept, Path directory) {
    print(
        "event", "audit",
        "holds", audit.holds(),
        "readings", audit.published(),
        "records", audit.records(),
        "changes", audit.changes(),
        "warehouse", audit.warehouse(),
        "lost", audit.lost(),
        "duplicated", audit.duplicated(),
        "checks", audit.checks().stream().map(JsonOutput::object).toList(),
        "areas", town.areas().stream().map(JsonOutput::object).toList(),
        "came_twice", town.again(),
        "came_late", town.late(),
        "broken", town.broken(),
        "alerts", town.alerts(),
        "kept", kept);
  }

  private static Map<String, @Nullable Object> object(AuditReport.Check check) {
    List<String> lines = check.lines();
    return Json.object(
        "check", check.sentence(),
        "holds", check.holds(),
        "findings", lines.subList(1, lines.size()).stream().map(String::strip).toList());
  }

  private static Map<String, @Nullable Object> object(Town.Area area) {
    return Json.object(
        "area", area.name(),
        "readings", area.readings(),
        "watt_hours", area.energy(),
        "peak_watts", area.peak());
  }
}
