package dev.tidemark.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.bench.Main;
import dev.tidemark.bench.measure.Json;
import dev.tidemark.bench.measure.Plan;
import dev.tidemark.bench.measure.Race;
import dev.tidemark.bench.measure.Report;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EngineBenchTest {
  @TempDir Path directory;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @Test
  void aTinyRunMeasuresEverythingAndEndsWithItsLine() throws Exception {
    Path json = directory.resolve("engine.json");
    new EngineBench(Plan.TINY, new Report(out)).run(json);
    assertThat(lastLine())
        .matches(
            "bench engine: get=\\S+ scan=\\S+ commit64=\\S+ commit1=\\S+ conflicts_per_s=\\d+"
                + " range_conflicts_per_s=\\d+ rival64=\\S+ drained=\\S+");
    assertThat(json).content().startsWith("{\"bench\":\"engine\"").contains("\"durability\"");
  }

  @Test
  void aTinyProfileNamesThePhases() throws Exception {
    new EngineProfile(Plan.TINY, new Report(out)).run();
    assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("commits a second");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "motor", "engine --fast", "remote --slow", "records --full"})
  void wrongArgumentsGetTheUsageAndExitCodeTwo(String line) throws Exception {
    String[] args = line.isEmpty() ? new String[0] : line.split(" ", -1);
    assertThat(Main.run(args, out, out)).isEqualTo(2);
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .contains("usage: bench engine|remote|records");
  }

  @ParameterizedTest
  @ValueSource(strings = {"queries --profile", "pulse --quick --profile"})
  void runWithoutAProfileNamesThoseThatHaveOne(String line) throws Exception {
    assertThat(Main.run(line.split(" ", -1), out, out)).isEqualTo(2);
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .contains("has no profile; these have one: engine, remote, records")
        .contains("usage: bench");
  }

  @Test
  void jsonQuotesWhatNeedsQuotes() {
    assertThat(Json.of(Map.of("a\"b", List.of(1, 2.5, true, "x\ny"))))
        .isEqualTo("{\"a\\\"b\":[1,2.5,true,\"x\\u000ay\"]}");
  }

  @Test
  void theMedianOfAnEvenNumberLiesBetweenTheMiddleTwo() {
    assertThat(Race.median(List.of(9.0, 1.0, 2.0, 4.0))).isEqualTo(3.0);
  }

  private String lastLine() {
    return bytes.toString(StandardCharsets.UTF_8).lines().reduce("", (first, last) -> last);
  }
}
