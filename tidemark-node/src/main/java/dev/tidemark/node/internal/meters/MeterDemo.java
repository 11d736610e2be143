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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Runs the demo from the first reading to the audit. */
public final class MeterDemo {
  private static final Duration TICK = Duration.ofMillis(80);
  private static final Duration DRAIN_MAX = Duration.ofMinutes(2);
  private static final long THRESHOLD_LATER = 1_600;

  /** Layers say in their logs what the summary says better. Held, or its level is forgotten. */
  private static final Logger LAYERS = Logger.getLogger("dev.tidemark");

  private final MeterDemoOptions options;
  private final PrintStream out;
  private final LiveSummary summary;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

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
   * @throws StorageException if the data cannot be opened
   */
  public boolean run() throws IOException, InterruptedException {
    Path directory =
        options.data().isPresent()
            ? Files.createDirectories(options.data().get())
            : Files.createTempDirectory("tidemark-demo-");
    LAYERS.setLevel(Level.WARNING);
    Thread interrupt = new Thread(this::stopInOrder, "demo-interrupt");
    Runtime.getRuntime().addShutdownHook(interrupt);
    try {
      return runIn(directory);
    } finally {
      ended.countDown();
      LAYERS.setLevel(null);
      if (stop.getCount() > 0) {
        Runtime.getRuntime().removeShutdownHook(interrupt);
      }
      if (options.data().isEmpty()) {
        Directories.remove(directory);
      }
    }
  }

  /** Ctrl-C ends the publishers; what was published is still worked off and audited. */
  private void stopInOrder() {
    stop.countDown();
    try {
      if (!ended.await(DRAIN_MAX.toSeconds(), TimeUnit.SECONDS)) {
        out.println("tidemark: the demo did not end in time");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean runIn(Path directory) throws IOException, InterruptedException {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory.resolve("store"));
        DatabaseServer server = DatabaseServer.open(database, o -> o.withPort(0));
        Pulse pulse = Pulse.on(database);
        ReplicatedMap<String, String> settings = pulse.map(Worker.SETTINGS)) {
      settings.setIfAbsent(Worker.THRESHOLD, Long.toString(Worker.THRESHOLD_AT_FIRST));
      GridStore grid = GridStore.open(database);
      long earlier = database.read(Published::count);
      summary.say(
          "%,d meters publish for %,d s; the store is in %s and served at %s"
              .formatted(options.meters(), options.time().toSeconds(), directory, server.uri()));
      if (earlier > 0) {
        summary.say("%,d readings are there from an earlier run, which goes on".formatted(earlier));
      }
      WarehouseFeed.Totals totals;
      try (Follower follower = new Follower(database, pulse, grid);
          WarehouseFeed feed = new WarehouseFeed(directory.resolve("warehouse.duckdb"), pulse);
          MeterActors actors = new MeterActors(database, pulse, grid);
          Worker worker = new Worker(database, "local");
          WorkerProcess remote =
              WorkerProcess.start(server.uri(), directory.resolve("worker.log"))) {
        summary.say(
            "a worker (%s) is in this process, another in process %d"
                .formatted(worker.name(), remote.pid()));
        summary.say(
            "reader %s follows the changes into %s".formatted(follower.name(), feed.file()));
        publish(database, grid, pulse, settings, remote, actors);
        drain(database, grid, feed);
        totals = feed.totals();
      }
      return report(Audit.of(database, grid, totals, options.meters()));
    }
  }

  private void publish(
      Database database,
      GridStore grid,
      Pulse pulse,
      ReplicatedMap<String, String> settings,
      WorkerProcess remote,
      MeterActors actors)
      throws InterruptedException {
    Publisher publisher = new Publisher(database, Worker.stream(pulse), options.meters(), TICK);
    Thread publishing = Thread.ofVirtual().name("meter-publisher").start(publisher);
    long begin = System.nanoTime();
    long total = options.time().toNanos();
    boolean killed = false;
    boolean lowered = false;
    try {
      while (publishing.isAlive()) {
        double done = (double) (System.nanoTime() - begin) / total;
        if (done >= 1 || stop.await(1, TimeUnit.SECONDS)) {
          break;
        }
        if (done > 0.3 && !lowered) {
          lowered = true;
          settings.set(Worker.THRESHOLD, Long.toString(THRESHOLD_LATER));
          summary.say("the threshold of alerts is %,d W from now on".formatted(THRESHOLD_LATER));
        }
        if (done > 0.5 && !killed) {
          killed = true;
          remote.kill();
          summary.say(
              "process %d is killed; its share comes back after its grace".formatted(remote.pid()));
        }
        show(database, grid, actors, done, begin);
      }
    } finally {
      publisher.stop();
      publishing.join();
    }
  }

  private void show(
      Database database, GridStore grid, MeterActors actors, double done, long begin) {
    long published = database.read(Published::count);
    long stored = database.read(tx -> stored(grid, tx));
    double seconds = (System.nanoTime() - begin) / 1e9;
    long alerts = database.read(tx -> grid.alert().query().count(tx));
    summary.show(
        done,
        String.format(
            Locale.ROOT,
            "%,d readings published (%,.0f a second), %,d stored, %,d alerts, %,d partitions",
            published,
            published / seconds,
            stored,
            alerts,
            actors.partitions()));
  }

  private static long stored(GridStore grid, ReadTransaction tx) {
    long all = 0;
    for (String area : LoadCurve.areas()) {
      all += grid.reading().count(tx, Reading.COUNT, area);
    }
    return all;
  }

  private static long counted(GridStore grid, ReadTransaction tx) {
    return grid.meter().scan(tx).mapToLong(Meter::readings).sum();
  }

  /** Waits until the workers have saved what was published, and sent all notices. */
  private void drain(Database database, GridStore grid, WarehouseFeed feed)
      throws InterruptedException {
    long published = database.read(Published::count);
    long end = System.nanoTime() + DRAIN_MAX.toNanos();
    while (System.nanoTime() < end) {
      long stored = database.read(tx -> stored(grid, tx));
      long waiting =
          database.read(tx -> grid.alert().query().where(Alert_.NOTICED.eq(false)).count(tx));
      long counted = database.read(tx -> counted(grid, tx));
      long loaded = feed.totals().rows();
      if (stored >= published && counted >= published && loaded >= published && waiting == 0) {
        return;
      }
      summary.show(
          1,
          String.format(
              Locale.ROOT,
              "%,d readings: %,d stored, %,d at their actors, %,d in the warehouse, %,d notices to send",
              published,
              stored,
              counted,
              loaded,
              waiting));
      Thread.sleep(200);
    }
  }

  private boolean report(Audit audit) {
    summary.end();
    audit.findings().forEach(finding -> out.println("  FAIL " + finding));
    out.printf(
        Locale.ROOT,
        "demo: readings=%d records=%d changes=%d warehouse=%d lost=%d duplicated=%d%n",
        audit.published(),
        audit.records(),
        audit.changes(),
        audit.warehouse(),
        audit.lost(),
        audit.duplicated());
    return audit.holds();
  }
}
