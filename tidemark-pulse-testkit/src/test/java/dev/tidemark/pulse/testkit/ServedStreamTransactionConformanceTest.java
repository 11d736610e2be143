package dev.tidemark.pulse.testkit;

import dev.tidemark.kv.Database;
import dev.tidemark.pulse.Pulse;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Streams and sinks in transactions of a client, on a store that is reached through a server. */
class ServedStreamTransactionConformanceTest extends StreamTransactionConformance {
  @RegisterExtension final ServedStore store = new ServedStore();

  @Override
  protected Database database() {
    return store.client();
  }

  @Override
  protected Pulse open() {
    return Pulse.on(database());
  }
}
