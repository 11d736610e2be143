package dev.tidemark.chaos.changes;

import dev.tidemark.chaos.run.ChildProcess;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Parent;
import dev.tidemark.chaos.run.Workspace;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.remote.DatabaseServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * The process that has the store of {@code chaos changes} and serves it to the readers. With a seed
 * it also has the writers, which then save to the embedded store itself.
 */
final class ChangesServer {
  private ChangesServer() {}

  static ChildProcess start(Workspace workspace, Path directory, List<String> seed) {
    List<String> arguments = new ArrayList<>(List.of(directory.toString()));
    arguments.addAll(seed);
    return ChildProcess.start(workspace, "server", ChangesServer.class, arguments);
  }

  /** Serves the directory of the first argument; writes with the seed that is the second. */
  public static void main(String[] args) throws InterruptedException {
    CountDownLatch enough = new CountDownLatch(1);
    Parent parent = Parent.watch(line -> enough.countDown());
    try (EmbeddedDatabase database = EmbeddedDatabase.open(Path.of(args[0]));
        DatabaseServer server = DatabaseServer.open(database)) {
      TickStore.open(database);
      parent.tell(new Message.Serving(server.port()));
      if (args.length > 1) {
        ChangesWriters writers = ChangesWriters.start(database, Long.parseLong(args[1]));
        enough.await();
        parent.tell(new Message.Written(writers.stop()));
      }
      Thread.currentThread().join();
    }
  }
}
