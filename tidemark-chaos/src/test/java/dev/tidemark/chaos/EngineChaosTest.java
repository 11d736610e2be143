package dev.tidemark.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
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
        .contains("tears=2", "flips=2", "full_disks=1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "motor",
        "engine --round 3",
        "engine --rounds",
        "engine --rounds x",
        "engine --rounds 0",
        "engine --seconds -1"
      })
  void wrongArgumentsGetTheUsageAndExitCodeTwo(String line) {
    String[] args = line.isEmpty() ? new String[0] : line.split(" ", -1);
    assertThat(Main.run(args, out, out)).isEqualTo(2);
    assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("usage: chaos engine");
  }

  @Test
  void secondsAloneLiftTheLimitOnRounds() {
    String[] args = {"engine", "--seconds", "5", "--seed", "7"};
    assertThat(Settings.parse(args, 1, 0))
        .isEqualTo(new Settings(Integer.MAX_VALUE, Duration.ofSeconds(5), 7, Settings.LONG_RUN));
  }

  @Test
  void theLongFormHasTwoHundredRounds() {
    assertThat(Settings.parse(new String[] {"engine"}, 1, 0).rounds()).isEqualTo(200);
  }
}
