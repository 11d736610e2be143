package dev.tidemark.pulse.testkit;

import dev.tidemark.pulse.Pulse;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On a store that is reached through a server. */
class ServedStreamConformanceTest extends StreamConformance {
  @RegisterExtension final ServedStore store = new ServedStore();

  @Override
  protected Pulse open() {
    return store.connect();
  }
}
