package dev.tidemark.chaos.remote;

import dev.tidemark.chaos.ledger.Accounts;
import dev.tidemark.chaos.run.ChildProcess;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Parent;
import dev.tidemark.chaos.run.Workspace;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.remote.DatabaseServer;
import java.nio.file.Path;
import java.util.List;

/** The server process of a remote run. It serves until it is killed, or its parent ends. */
final class RemoteServer {
  private static final long POLL_MILLIS = 10;

  private RemoteServer() {}

  static ChildProcess start(Workspace workspace, Path directory) {
    return ChildProcess.start(
        workspace, "server", RemoteServer.class, List.of(directory.toString()));
  }

  /** Serves the database in the directory that the argument names. */
  public static void main(String[] args) throws InterruptedException {
    Parent parent = Parent.watch(line -> {});
    try (EmbeddedDatabase database = EmbeddedDatabase.open(Path.of(args[0]))) {
      Accounts.openIn(database);
      try (DatabaseServer server = DatabaseServer.open(database)) {
        parent.tell(new Message.Serving(server.port()));
        tellOfSettledCommits(parent, server);
      }
    }
  }

  /** Until the process is killed. */
  private static void tellOfSettledCommits(Parent parent, DatabaseServer server)
      throws InterruptedException {
    long told = 0;
    while (true) {
      long settled = server.statistics().commitsSettled();
      if (settled > told) {
        parent.tell(new Message.Settled(settled));
        told = settled;
      }
      Thread.sleep(POLL_MILLIS);
    }
  }
}
