package dev.tidemark.chaos.engine;

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

class EngineChaosTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = 20261116)
  @Timeout(value = 120, unit = TimeUnit.SECONDS)
  void tenRoundsLoseNothingAndTearNothing(long seed) {
    boolean clean =
        new EngineChaos(new Settings(10, Settings.UNLIMITED, seed, Duration.ofMillis(400)), out)
            .run();
    String output = bytes.toString(StandardCharsets.UTF_8);
    assertThat(clean).as(output).isTrue();
    assertThat(output.lines().reduce("", (first, last) -> last))
        .matches("chaos engine: rounds=10 acknowledged=[1-9]\\d* lost=0 torn=0 .*")
        .contains("tears=2", "flips=2", "full_disks=1")
        .containsPattern("cuts=[1-9]\\d\\d reported=[1-9]\\d ");
  }
}
