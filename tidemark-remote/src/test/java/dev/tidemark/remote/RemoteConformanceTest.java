package dev.tidemark.remote;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.testkit.conformance.DatabaseConformance;
import dev.tidemark.testkit.decorate.Owning;

/** Client and server over a real socket, both on the clock of the test. */
class RemoteConformanceTest extends DatabaseConformance {
  @Override
  protected Database open(Limits limits, TimeSource time) {
    Database served = EmbeddedDatabase.inMemory(o -> o.withLimits(limits).withTime(time));
    DatabaseServer server = DatabaseServer.open(served);
    return Owning.over(RemoteDatabase.connect(server.uri(), o -> o.withTime(time)), server, served);
  }
}
