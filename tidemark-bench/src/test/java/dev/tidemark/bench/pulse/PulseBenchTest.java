package dev.tidemark.bench.pulse;

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

@Timeout(value = 180, unit = TimeUnit.SECONDS)
class PulseBenchTest {
  @TempDir Path directory;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @Test
  void aTinyRunMeasuresEverythingAndEndsWithItsLine() throws Exception {
    Path json = directory.resolve("pulse.json");
    new PulseBench(Plan.TINY, new Report(out)).run(json);

    String text = bytes.toString(StandardCharsets.UTF_8);
    assertThat(text.lines().reduce("", (first, last) -> last))
        .matches(
            ("bench pulse: redis_add=N redis_consume=N redisson=N dispatch_rtt=N kv_add=N"
                    + " kv_consume=N map_reads_per_s=\\d+ rebalance_s=N")
                .replace("N", "\\d+\\.\\d+"));
    assertThat(json).content().contains("\"redisson_add\"", "\"idle_heap_mib\"");
  }
}
