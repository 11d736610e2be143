package dev.tidemark.embedded;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.testkit.conformance.DatabaseConformance;

class InMemoryConformanceTest extends DatabaseConformance {
  @Override
  protected Database open(Limits limits, TimeSource time) {
    return EmbeddedDatabase.inMemory(o -> o.withLimits(limits).withTime(time));
  }
}
