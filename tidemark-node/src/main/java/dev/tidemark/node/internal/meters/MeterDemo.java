package dev.tidemark.node.internal.meters;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.StorageException;
import dev.tidemark.node.internal.files.Directories;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.remote.DatabaseServer;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Runs the demo from the first reading to the audit. */
public final class MeterDemo {
  private static final Duration STOP_MAX = Duration.ofMinutes(3);

  /** Layers say in their logs what the summary says better. Held, or its level is forgotten. */
  private static final Logger LAYERS = Logger.getLogger("dev.tidemark");

  private final MeterDemoOptions options;
  private final PrintStream out;
  private final LiveSummary summary;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile Optional<Boolean> agrees = Optional.empty();

  /** A run with {@code options} that prints to {@code out}. */
  public MeterDemo(MeterDemoOptions options, PrintStream out) {
    this.options = options;
    this.out = out;
    this.summary = new LiveSummary(out, !options.headless());
  }

  /**
   * Publishes, stops in good order, also after an interrupt from the terminal, and audits.
   *
   * @return whether everything agrees
   * @throws StorageException if the store cannot be opened
   * @throws MeterDemoException if the data cannot be used
   */
  public boolean run() throws IOException, InterruptedException {
    Path directory = directory();
    LAYERS.setLevel(Level.WARNING);
    Thread interrupt = new Thread(this::stopInOrder, "demo-interrupt");
    Runtime.getRuntime().addShutdownHook(interrupt);
    try {
      agrees = Optional.of(runIn(directory));
      return agrees.get();
    } finally {
      LAYERS.setLevel(null);
      if (options.data().isEmpty()) {
        Directories.remove(directory);
      }
      ended.countDown();
      forget(interrupt);
    }
  }

  private Path directory() throws IOException {
    if (options.data().isEmpty()) {
      return Files.createTempDirectory("tidemark-demo-");
    }
    Path directory = options.data().get();
    try {
      Files.createDirectories(directory);
    } catch (IOException impossible) {
      throw new MeterDemoException(
          "The directory %s cannot be created (%s); --data takes one that exists or can be created"
              .formatted(directory, impossible),
          impossible);
    }
    if (!Files.isWritable(directory)) {
      throw new MeterDemoException(
          "The directory %s is not writable; --data takes one that is".formatted(directory));
    }
    return directory;
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException endingAlready) {
      // The hook runs, and has nothing to wait for any more.
    }
  }

  /**
   * Ctrl-C ends the publishers; what was published is still worked off and audited. The exit code
   * is that of the audit, as for a run that was not interrupted.
   */
  private void stopInOrder() {
    stop.countDown();
    try {
      if (!ended.await(STOP_MAX.toSeconds(), TimeUnit.SECONDS)) {
        out.println("tidemark: the demo did not end in time; started again, it goes on");
      }
      out.flush();
      agrees.ifPresent(audit -> Runtime.getRuntime().halt(audit ? 0 : 1));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean runIn(Path directory) throws IOException, InterruptedException {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory.resolve("store"));
        DatabaseServer server = DatabaseServer.open(database, o -> o.withPort(0));
        DemoPage page = new DemoPage(options);
        Pulse pulse = Pulse.on(database);
        ReplicatedMap<String, String> settings = pulse.map(Worker.SETTINGS)) {
      DataVersion.check(database, directory);
      settings.setIfAbsent(Worker.THRESHOLD, Long.toString(Worker.THRESHOLD_AT_FIRST));
      GridStore grid = GridStore.open(database);
      sayHello(directory, server, page, database.read(Published::count));
      SortedMap<Long, Totals> warehouse;
      try (WarehouseFeed feed =
              new WarehouseFeed(directory.resolve("warehouse.duckdb"), database, grid);
          MeterActors actors = new MeterActors(database, pulse, grid, options.rate());
          Worker worker = new Worker(database);
          WorkerProcess remote =
              WorkerProcess.start(server.uri(), directory.resolve("worker.log"))) {
        summary.say(
            "workers    one here, one in process %d: check, save and acknowledge in one commit"
                .formatted(remote.pid()));
        summary.say("actors     two servers hold what each meter did last and its daily energy");
        summary.say("warehouse  " + feed.file() + ", filled by the change stream of the records");
        summary.say("");
        Layers layers = new Layers(database, pulse, settings, grid, feed, actors, worker, remote);
        new Scenario(options, layers, summary, page, stop).play();
        warehouse = feed.totals();
      }
      return report(directory, database, grid, warehouse, page);
    }
  }

  private void sayHello(
      Path directory, DatabaseServer server, DemoPage page, long earlier) {
    out.printf(
        Locale.ROOT,
        "%,d smart meters publish their readings for %,d s; Ctrl-C ends that in good order%n",
        options.meters(),
        options.time().toSeconds());
    summary.say("console    " + page.address() + " shows all of it live in a browser");
    summary.say("store      %s, shared at %s".formatted(directory.resolve("store"), server.uri()));
    if (earlier > 0) {
      summary.say(
          String.format(
              Locale.ROOT, "           %,d readings from an earlier run, which goes on", earlier));
    }
    summary.say("stream     readings, some twice, some late, some broken");
  }

  private boolean report(
      Path directory,
      Database database,
      GridStore grid,
      SortedMap<Long, Totals> warehouse,
      DemoPage page) {
    AuditReport audit = Audit.of(database, grid, warehouse, summary::showInPlace);
    page.show(audit);
    summary.erase();
    summary.say("");
    database.read(tx -> showTown(tx, grid));
    audit.checks().forEach(check -> check.lines().forEach(summary::say));
    summary.say(
        options.data().isPresent()
            ? "The data stay in %s; the same command goes on with them".formatted(directory)
            : "The data are removed; --data DIR keeps them");
    out.println(audit.line());
    return audit.holds();
  }

  private boolean showTown(ReadTransaction tx, GridStore grid) {
    for (String area : LoadCurve.areas()) {
      summary.say(
          String.format(
              Locale.ROOT,
              "%-10s %,10d readings %,10d kWh %,8d W at most",
              area,
              grid.reading().count(tx, Reading.COUNT, area),
              LoadCurve.energy(grid.reading().sum(tx, Reading.SUM, area)) / 1_000,
              grid.reading().max(tx, Reading.PEAK, area).map(Long.class::cast).orElse(0L)));
    }
    summary.say(
        String.format(
            Locale.ROOT,
            "messages: %,d came twice, %,d late, %,d broken; %,d alerts",
            Tally.SENT_AGAIN.count(tx),
            Tally.SENT_LATE.count(tx),
            Tally.SENT_BROKEN.count(tx),
            grid.alert().count(tx, Alert.COUNT, true)));
    summary.say("");
    return true;
  }
}
