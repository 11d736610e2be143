package dev.tidemark.bench.queries;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.bench.measure.Plan;
import dev.tidemark.bench.measure.Report;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class QueriesBenchTest {
  @TempDir Path directory;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  /** Before it measures, the run compares the answers of all three databases. */
  @Test
  void aTinyRunAsksEverythingAndEndsWithItsLine() throws Exception {
    Path json = directory.resolve("queries.json");
    new QueriesBench(Plan.TINY, new Report(out)).run(json);

    String text = bytes.toString(StandardCharsets.UTF_8);
    assertThat(text.lines().reduce("", (first, last) -> last))
        .matches(
            "bench queries: geomean=N worst=N plan_cached_us=N plan_cold_ms=N best_picked=\\d+"
                .replace("N", "\\d+\\.\\d+"));
    assertThat(json).content().contains("\"full_scan\"", "\"sqlite\"", "\"h2\"");
  }
}
