package dev.tidemark.chaos.pulse;

import dev.tidemark.chaos.run.ChildProcess;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Parent;
import dev.tidemark.chaos.run.Workspace;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.remote.DatabaseServer;
import java.nio.file.Path;
import java.util.List;

/** The process that serves the store of a pulse run, until it is killed or its parent ends. */
public final class PulseServer {
  private PulseServer() {}

  public static ChildProcess start(Workspace workspace, Path directory) {
    return ChildProcess.start(
        workspace, "server", PulseServer.class, List.of(directory.toString()));
  }

  /** Serves the database in the directory that the argument names. */
  public static void main(String[] args) throws InterruptedException {
    Parent parent = Parent.watch(line -> {});
    try (EmbeddedDatabase database = EmbeddedDatabase.open(Path.of(args[0]));
        DatabaseServer server = DatabaseServer.open(database)) {
      parent.tell(new Message.Serving(server.port()));
      Thread.currentThread().join();
    }
  }
}
