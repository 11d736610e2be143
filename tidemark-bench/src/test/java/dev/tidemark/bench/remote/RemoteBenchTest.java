package dev.tidemark.bench.remote;

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
class RemoteBenchTest {
  @TempDir Path directory;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @Test
  void aTinyRunMeasuresEverythingAndEndsWithItsLine() throws Exception {
    Path json = directory.resolve("remote.json");
    new RemoteBench(Plan.TINY, new Report(out)).run(json);
    assertThat(text().lines().reduce("", (first, last) -> last))
        .matches(
            "bench remote: read=N commit=N scan=N facade=N pg_read=N pg_upsert=N"
                .replace("N", "\\d+\\.\\d+"));
    assertThat(json)
        .content()
        .startsWith("{\"bench\":\"remote\"")
        .contains("\"fsync\":\"on\"", "\"synchronous_commit\":\"on\"");
  }

  @Test
  void aTinyProfileShowsReadsAndCommits() throws Exception {
    new RemoteProfile(Plan.TINY, new Report(out)).run();
    assertThat(text()).contains("reads a second").contains("commits a second");
  }

  private String text() {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
