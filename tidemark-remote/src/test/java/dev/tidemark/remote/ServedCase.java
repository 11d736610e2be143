package dev.tidemark.remote;

import dev.tidemark.embedded.EmbeddedDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** What tests of a server share: a store in memory that is served as it comes. */
@Timeout(60)
abstract class ServedCase {
  final EmbeddedDatabase served;
  final DatabaseServer server;

  ServedCase() {
    this(EmbeddedDatabase.inMemory());
  }

  /** Serves {@code served}, and closes it after the test. */
  ServedCase(EmbeddedDatabase served) {
    this.served = served;
    this.server = DatabaseServer.open(served);
  }

  @AfterEach
  void close() {
    server.close();
    served.close();
  }
}
