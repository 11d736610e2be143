package dev.tidemark.node.internal.command.serve;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.partitions.PartitionManager;
import dev.tidemark.partitions.PartitionManagerOptions;
import dev.tidemark.remote.DatabaseServer;
import dev.tidemark.remote.ServerOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.Logger;

/** One database for many processes, until a signal ends it. */
final class Service {
  private static final int CANNOT_SERVE = 1;

  /**
   * Logs a stack trace for every client that goes away without a word, which is nothing to act on.
   */
  private static final Logger NETWORK =
      Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty.NettyServerHandler");

  private final ServeSettings settings;
  private final PrintStream out;
  private final PrintStream err;
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile int exitCode = CANNOT_SERVE;

  Service(ServeSettings settings, PrintStream out, PrintStream err) {
    this.settings = settings;
    this.out = out;
    this.err = err;
  }

  /** Serves until the JVM is told to end, or returns at once if that is not possible. */
  int run() throws InterruptedException {
    NETWORK.setLevel(Level.SEVERE);
    Path directory = settings.directory().toAbsolutePath().normalize();
    try {
      serve(directory, settings.options(err));
      exitCode = 0;
    } catch (DatabaseException | ServeException | IOException failure) {
      err.println("tidemark: cannot serve " + directory + ": " + reason(failure));
    } catch (RuntimeException | Error failure) {
      failure.printStackTrace(err); // Here: the process ends as soon as the hook is told.
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
      out.printf("tidemark: serving %s at %s%n", directory, server.uri());
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
      out.printf(
          "tidemark: managing partitions of %s at %s%n",
          String.join(", ", options.actorTypes()), manager.address());
      waitForTheEnd();
    }
  }

  private void waitForTheEnd() throws InterruptedException {
    asked.await();
    out.println("tidemark: stopping");
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
