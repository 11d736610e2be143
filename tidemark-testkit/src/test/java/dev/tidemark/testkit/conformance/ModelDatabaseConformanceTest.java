package dev.tidemark.testkit.conformance;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.testkit.model.ModelDatabase;

/** The model keeps every promise, so the suite can be passed. */
class ModelDatabaseConformanceTest extends DatabaseConformance {
  @Override
  protected Database open(Limits limits, TimeSource time) {
    return ModelDatabase.open(limits, time);
  }
}
