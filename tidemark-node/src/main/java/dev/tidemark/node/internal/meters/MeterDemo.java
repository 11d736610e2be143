package dev.tidemark.node.internal.meters;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.spi.FileTrees;
import dev.tidemark.node.internal.console.FileTrouble;
import dev.tidemark.node.internal.meters.output.AuditReport;
import dev.tidemark.node.internal.meters.output.DemoOutput;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.remote.DatabaseServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Runs the demo from the first reading to the audit. */
public final class MeterDemo {
  private static final Duration STOP_MAX = Duration.ofMinutes(3);

  /**
   * The logger of all layers, silenced because the summary shows the same. Kept in a field, since a
   * logger that nobody references forgets its level.
   */
  private static final Logger LAYERS = Logger.getLogger("dev.tidemark");

  private final MeterDemoOptions options;
  private final DemoOutput output;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile Optional<Boolean> agrees = Optional.empty();

  /** A run with {@code options} that tells {@code output} how it goes. */
  public MeterDemo(MeterDemoOptions options, DemoOutput output) {
    this.options = options;
    this.output = output;
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
    Thread interrupt = new Thread(() -> stopInOrder(directory), "demo-interrupt");
    Runtime.getRuntime().addShutdownHook(interrupt);
    try {
      agrees = Optional.of(runIn(directory));
      return agrees.get();
    } finally {
      LAYERS.setLevel(null);
      if (options.data().isEmpty()) {
        FileTrees.remove(directory);
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
              .formatted(directory, FileTrouble.text(impossible)),
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
  private void stopInOrder(Path directory) {
    stop.countDown();
    try {
      if (!ended.await(STOP_MAX.toSeconds(), TimeUnit.SECONDS)) {
        output.stuck(directory);
      }
      agrees.ifPresent(audit -> Runtime.getRuntime().halt(audit ? 0 : 1));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static EmbeddedDatabase open(Path directory) {
    try {
      return EmbeddedDatabase.open(directory.resolve("store"));
    } catch (StorageException refused) {
      if (refused.kind() != StorageException.Kind.IN_USE) {
        throw refused;
      }
      throw new MeterDemoException(
          "The data in %s are in use by another process; wait for its end, or give --data another directory"
              .formatted(directory),
          refused);
    }
  }

  private boolean runIn(Path directory) throws IOException, InterruptedException {
    try (EmbeddedDatabase database = open(directory);
        DatabaseServer server = DatabaseServer.open(database, o -> o.withPort(0));
        DemoPage page = new DemoPage(options, server.uri());
        Pulse pulse = Pulse.on(database);
        ReplicatedMap<String, String> settings = pulse.map(Worker.SETTINGS)) {
      DataVersion.check(database, directory);
      settings.setIfAbsent(Worker.THRESHOLD, Long.toString(Worker.THRESHOLD_AT_FIRST));
      GridStore grid = GridStore.open(database);
      output.opened(
          new DemoOutput.Store(
              options.meters(),
              options.time().toSeconds(),
              directory,
              server.uri(),
              page.address(),
              database.read(Published::count),
              Worker.threshold(settings),
              Suggestion.ofThreshold(server.uri())));
      SortedMap<Long, Totals> warehouse;
      try (WarehouseFeed feed =
              new WarehouseFeed(directory.resolve("warehouse.duckdb"), database, grid);
          MeterActors actors = new MeterActors(database, pulse, grid, options.rate());
          Worker worker = new Worker(database);
          WorkerProcess remote =
              WorkerProcess.start(server.uri(), directory.resolve("worker.log"))) {
        output.started(remote.pid(), feed.file());
        Layers layers = new Layers(database, pulse, settings, grid, feed, actors, worker, remote);
        new Scenario(options, layers, output, page, stop).play();
        warehouse = feed.totals();
      }
      AuditReport audit = Audit.of(database, grid, warehouse, output::audited);
      page.show(audit);
      output.ended(
          database.read(tx -> Layers.town(tx, grid)), audit, options.data().isPresent(), directory);
      return audit.holds();
    }
  }
}
