package dev.tidemark.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.bench.measure.Plan;
import dev.tidemark.bench.measure.Report;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrowthBenchTest {
  @TempDir Path directory;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @Test
  void aTinyRunMeasuresEverythingAndEndsWithItsLine() throws Exception {
    Path json = directory.resolve("growth.json");
    new GrowthBench(Plan.TINY, new Report(out)).run(json);
    assertThat(bytes.toString(StandardCharsets.UTF_8).lines().reduce("", (first, last) -> last))
        .matches(
            "bench growth: get=\\S+ get_over_raw=\\S+ save=\\S+ stream=\\S+"
                + " stream_over_unbounded=\\S+ cold_scan=\\S+ load=\\S+");
    assertThat(json).content().startsWith("{\"bench\":\"growth\"");
  }
}
