package dev.tidemark.chaos.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.chaos.run.Settings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordsChaosTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = 20261118)
  @Timeout(value = 180, unit = TimeUnit.SECONDS)
  void threeRoundsLoseNothingAndLeaveEveryIndexRight(long seed) {
    boolean clean =
        new RecordsChaos(new Settings(3, Settings.UNLIMITED, seed, Duration.ofSeconds(2)), out)
            .run();
    String output = bytes.toString(StandardCharsets.UTF_8);
    assertThat(clean).as(output).isTrue();
    assertThat(output.lines().reduce("", (first, last) -> last))
        .matches("chaos records: operations=[1-9]\\d* lost=0 wrong=0 rounds=3 .*")
        .containsPattern("(builds|resumed)=[1-9]")
        .containsPattern("unknown=[1-9]");
  }
}
