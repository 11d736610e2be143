package dev.tidemark.node.internal.meters;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.tuple.MalformedTupleException;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.node.internal.console.Json;
import dev.tidemark.node.internal.meters.output.AuditReport;
import dev.tidemark.node.internal.meters.output.Progress;
import dev.tidemark.node.internal.meters.output.Town;
import dev.tidemark.node.internal.page.LivePage;
import dev.tidemark.partitions.Route;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a browser shows of a run. The scenario reports the progress of the run; the page asks the
 * layers for the rest, but only while a browser shows it. One thread at a time; orders come from
 * others.
 */
final class DemoPage implements AutoCloseable {
  private static final Duration EVERY = Duration.ofMillis(400);
  private static final int ALERTS_SHOWN = 8;
  private static final int SAID_MAX = 200;
  private static final double SECOND = 1e9;

  private final LivePage page;
  private final MeterDemoOptions options;
  private final URI store;
  private final List<Map<String, @Nullable Object>> said = new ArrayList<>();
  private volatile Function<LivePage.Order, Optional<String>> orders =
      order -> Optional.of("The demo has not begun yet");
  private Map<String, @Nullable Object> last = Json.object();
  private long begin = System.nanoTime();
  private long shown;

  /** Where in a run it is. */
  enum Phase {
    /** Meters publish. */
    PUBLISHING,
    /** Nothing more is published; the layers catch up. */
    DRAINING,
    /** The numbers are compared. */
    AUDITING,
    /** The numbers were compared. */
    ENDED
  }

  /**
   * Opens the page of a run with {@code options}, whose store is served at {@code store}.
   *
   * @throws MeterDemoException if its port cannot be had
   */
  DemoPage(MeterDemoOptions options, URI store) {
    this.options = options;
    this.store = store;
    try {
      this.page = LivePage.open(options.consolePort(), order -> orders.apply(order));
    } catch (IOException taken) {
      throw new MeterDemoException(
          "The console cannot listen on port %d (%s); --console-port takes another one, 0 a free one"
              .formatted(options.consolePort(), taken.getMessage()),
          taken);
    }
  }

  URI address() {
    return page.address();
  }

  /** The meters begin to publish; {@code handler} carries out what visitors order. */
  void begin(Function<LivePage.Order, Optional<String>> handler) {
    begin = System.nanoTime();
    orders = handler;
  }

  /** Shows something that has happened. */
  void say(String text) {
    if (said.size() == SAID_MAX) {
      said.removeFirst();
    }
    said.add(Json.object("at", seconds(), "text", text));
  }

  /** Shows how far the run is, unless nobody looks or that was shown a moment ago. */
  void show(Phase phase, Layers layers, Progress progress) {
    long now = System.nanoTime();
    if (page.isWatched() && (shown == 0 || now - shown >= EVERY.toNanos())) {
      shown = now;
      last = layers.database().read(tx -> state(tx, layers, progress));
      send(phase);
    }
  }

  /** Shows the numbers with which the run ends, and that they are being compared. */
  void showLast(Layers layers, Progress progress) {
    last = layers.database().read(tx -> state(tx, layers, progress));
    send(Phase.AUDITING);
  }

  /** Shows what was compared, and the line that programs read. */
  void show(AuditReport audit) {
    last.put(
        "audit",
        audit.checks().stream()
            .map(check -> Json.object("ok", check.holds(), "lines", check.lines()))
            .toList());
    last.put("line", audit.line());
    send(Phase.ENDED);
  }

  private void send(Phase phase) {
    Map<String, @Nullable Object> state = Json.object("phase", phase, "at", seconds());
    state.putAll(last);
    state.put("said", said);
    page.show(Json.of(state));
  }

  private double seconds() {
    return (System.nanoTime() - begin) / SECOND;
  }

  private Map<String, @Nullable Object> state(
      ReadTransaction tx, Layers layers, Progress progress) {
    Town town = Layers.town(tx, layers.grid());
    return Json.object(
        "of", options.time().toSeconds(),
        "meters", options.meters(),
        "published", progress.published(),
        "saved", progress.saved(),
        "counted", progress.counted(),
        "loaded", progress.loaded(),
        "alerts", progress.alerts(),
        "unsent", progress.unsent(),
        "power", progress.power(),
        "minute", progress.minute(),
        "threshold", Worker.threshold(layers.settings()),
        "workers", workers(layers),
        "partitions", layers.actors().routes().stream().map(DemoPage::partition).toList(),
        "areas", areas(tx, layers.grid(), town),
        "lastAlerts", lastAlerts(tx, layers.grid()),
        "commands", suggestions(Suggestion.whileServedAt(store)),
        "after", suggestions(Suggestion.after(options.data())),
        "again", town.again(),
        "late", town.late(),
        "broken", town.broken());
  }

  private static List<Map<String, @Nullable Object>> workers(Layers layers) {
    return List.of(
        Json.object("name", "this process", "alive", true),
        Json.object(
            "name", "process " + layers.remote().pid(), "alive", layers.remote().isAlive()));
  }

  private static Map<String, @Nullable Object> partition(Route route) {
    return Json.object(
        "id", route.partition(),
        "node", route.node(),
        "from", firstMeter(route.range().start()),
        "to", route.range().end().flatMap(DemoPage::firstMeter));
  }

  /** The first meter at or above a bound of a partition; absent if the bound names none. */
  private static Optional<Long> firstMeter(Key bound) {
    try {
      Tuple key = Tuple.unpack(bound);
      return Optional.of(key.isEmpty() ? 0L : key.getLong(0));
    } catch (MalformedTupleException | ClassCastException between) {
      return Optional.empty();
    }
  }

  private static List<Map<String, @Nullable Object>> areas(
      ReadTransaction tx, GridStore grid, Town town) {
    Map<String, Long> power = new HashMap<>();
    try (Stream<Meter> meters = grid.meter().scan(tx)) {
      meters.forEach(meter -> power.merge(meter.area(), meter.power(), Long::sum));
    }
    return town.areas().stream()
        .map(
            area ->
                Json.object(
                    "name", area.name(),
                    "readings", area.readings(),
                    "energy", area.energy(),
                    "peak", area.peak(),
                    "power", power.getOrDefault(area.name(), 0L)))
        .toList();
  }

  private static List<Map<String, @Nullable Object>> lastAlerts(
      ReadTransaction tx, GridStore grid) {
    return grid
        .alert()
        .query()
        .orderBy(Alert_.TIMESTAMP.desc())
        .limit(ALERTS_SHOWN)
        .list(tx)
        .stream()
        .map(
            alert ->
                Json.object(
                    "meter", alert.meter(),
                    "minute", LoadCurve.minute(alert.timestamp()),
                    "power", alert.power(),
                    "threshold", alert.threshold(),
                    "noticed", alert.noticed()))
        .toList();
  }

  private static List<Map<String, @Nullable Object>> suggestions(List<Suggestion> suggestions) {
    return suggestions.stream()
        .map(one -> Json.object("what", one.what(), "command", one.command()))
        .toList();
  }

  @Override
  public void close() {
    page.close();
  }
}
