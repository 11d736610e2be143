package dev.tidemark.bench.partitions;

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
class PartitionsBenchTest {
  @TempDir Path directory;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @Test
  void aTinyRunMeasuresEverythingAndEndsWithItsLine() throws Exception {
    Path json = directory.resolve("partitions.json");
    new PartitionsBench(Plan.TINY, new Report(out)).run(json);

    String text = bytes.toString(StandardCharsets.UTF_8);
    assertThat(text.lines().reduce("", (first, last) -> last))
        .matches(
            "bench partitions: one=\\d+ c256=\\d+ c1024=\\d+ reads=\\d+"
                + " durable64=[\\d.]+ pekko=[\\d.]+ migrate_pause_ms=\\d+ failover_s=[\\d.]+"
                + " push_s=[\\d.]+");
    assertThat(json).content().contains("\"writes by 256\"");
  }
}
