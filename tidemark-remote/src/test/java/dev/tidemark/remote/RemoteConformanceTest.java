package dev.tidemark.remote;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.testkit.DatabaseConformance;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterEach;

/** Client and server over a real socket, both on the clock of the test. */
class RemoteConformanceTest extends DatabaseConformance {
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  @Override
  protected Database open(Limits limits, TimeSource time) {
    Database served = EmbeddedDatabase.inMemory(o -> o.withLimits(limits).withTime(time));
    opened.push(served);
    DatabaseServer server = DatabaseServer.open(served);
    opened.push(server);
    return RemoteDatabase.connect(server.uri(), o -> o.withTime(time));
  }

  @AfterEach
  void closeServers() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
  }
}
