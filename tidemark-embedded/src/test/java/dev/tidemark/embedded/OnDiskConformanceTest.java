package dev.tidemark.embedded;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.testkit.conformance.DatabaseConformance;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class OnDiskConformanceTest extends DatabaseConformance {
  @TempDir Path directory;
  private int opened;

  @Override
  protected Database open(Limits limits, TimeSource time) {
    Path own = directory.resolve("db" + opened++);
    return EmbeddedDatabase.open(own, o -> o.withLimits(limits).withTime(time));
  }
}
