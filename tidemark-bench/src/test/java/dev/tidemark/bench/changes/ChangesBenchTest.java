package dev.tidemark.bench.changes;

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
class ChangesBenchTest {
  @TempDir Path directory;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @Test
  void aTinyRunMeasuresEverythingNamesItsRivalAndEndsWithItsLine() throws Exception {
    Path json = directory.resolve("changes.json");
    new ChangesBench(Plan.TINY, new Report(out)).run(json);

    String text = bytes.toString(StandardCharsets.UTF_8);
    String number = "-?\\d+(\\.\\d+)?";
    assertThat(text.lines().reduce("", (first, last) -> last))
        .matches(
            ("bench changes: own_per_s=\\d+ own_over_raw=N p50_ms=N p99_ms=N capture_cost=N"
                    + " capture_cost_served=N debezium=N spanner_over_raw=N platform_threads=\\d+")
                .replace("N", number));
    assertThat(text).contains(DecodedWal.RIVAL);
    assertThat(json).content().contains("\"catch_up\"", DecodedWal.RIVAL);
  }
}
