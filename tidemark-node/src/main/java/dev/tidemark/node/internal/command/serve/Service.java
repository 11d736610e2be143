package dev.tidemark.node.internal.command.serve;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.node.internal.console.Console;
import dev.tidemark.node.internal.console.Format;
import dev.tidemark.partitions.PartitionManager;
import dev.tidemark.partitions.PartitionManagerOptions;
import dev.tidemark.remote.DatabaseServer;
import dev.tidemark.remote.ServerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** One database for many processes, until a signal ends it. */
final class Service {
  private static final int CANNOT_SERVE = 1;

  /**
   * These loggers print a stack trace for every client that disconnects, and for whoever speaks
   * another protocol, such as a scan of ports. Nobody has to act on that.
   */
  private static final List<Logger> NETWORK =
      Stream.of("NettyServerHandler", "NettyServerTransport")
          .map(name -> Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty." + name))
          .toList();

  private final ServeSettings settings;
  private final Console console;
  private final Format format;
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile int exitCode = CANNOT_SERVE;

  Service(ServeSettings settings, Console console, Format format) {
    this.settings = settings;
    this.console = console;
    this.format = format;
  }

  /** Serves until the JVM is told to end, or returns at once if that is not possible. */
  int run() throws InterruptedException {
    NETWORK.forEach(logger -> logger.setLevel(Level.SEVERE));
    Path directory = settings.directory().toAbsolutePath().normalize();
    try {
      serve(directory, settings.options(console.err()));
      exitCode = 0;
    } catch (DatabaseException | ServeException | IOException failure) {
      console.complain("cannot serve " + directory + ": " + reason(failure));
    } catch (RuntimeException | Error failure) {
      failure.printStackTrace(console.err()); // Here: the process ends as soon as the hook is told.
    } finally {
      closed.countDown();
    }
    return exitCode;
  }

  private void serve(Path directory, ServerOptions listens)
      throws IOException, InterruptedException {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory);
        DatabaseServer server = DatabaseServer.open(database, defaults -> listens)) {
      Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "serve-stop"));
      console.event(
          format,
          "tidemark: serving %s at %s".formatted(directory, server.uri()),
          "serving",
          "directory",
          directory,
          "address",
          server.uri());
      Optional<PartitionManagerOptions> options = settings.manager().options(listens.listener());
      if (options.isPresent()) {
        manage(database, options.get());
      } else {
        waitForTheEnd();
      }
    }
  }

  private void manage(EmbeddedDatabase database, PartitionManagerOptions options)
      throws InterruptedException {
    try (PartitionManager manager = PartitionManager.open(database, options)) {
      console.event(
          format,
          "tidemark: managing partitions of %s at %s"
              .formatted(String.join(", ", options.actorTypes()), manager.address()),
          "managing",
          "types",
          List.copyOf(options.actorTypes()),
          "address",
          manager.address());
      waitForTheEnd();
    }
  }

  private void waitForTheEnd() throws InterruptedException {
    asked.await();
    console.event(format, "tidemark: stopping", "stopping");
  }

  /** A signal is the ordinary end of a server, so the exit code is 0 if all is closed well. */
  private void stop() {
    asked.countDown();
    try {
      closed.await();
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(exitCode);
  }

  private static String reason(Exception failure) {
    return failure instanceof IOException
        ? failure.toString()
        : String.valueOf(failure.getMessage());
  }
}
