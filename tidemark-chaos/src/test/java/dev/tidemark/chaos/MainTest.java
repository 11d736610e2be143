package dev.tidemark.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.chaos.run.Settings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "motor",
        "engine --round 3",
        "engine --rounds",
        "engine --rounds x",
        "engine --rounds 0",
        "engine --seconds -1",
        "remote --clients 3",
        "records --rounds 1.5",
        "engine --script manual",
        "partitions --script",
        "partitions --script other",
        "partitions --script manual --rounds 3"
      })
  void wrongArgumentsGetTheUsageAndExitCodeTwo(String line) {
    String[] args = line.isEmpty() ? new String[0] : line.split(" ", -1);
    assertThat(Main.run(args, out, out)).isEqualTo(2);
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .contains("usage: chaos engine|remote|records");
  }

  @Test
  void secondsAloneLiftTheLimitOnRounds() {
    String[] args = {"engine", "--seconds", "5", "--seed", "7"};
    Settings defaults = Settings.engine(0);
    assertThat(Settings.parse(args, 1, defaults))
        .isEqualTo(
            new Settings(Integer.MAX_VALUE, Duration.ofSeconds(5), 7, defaults.longestRun()));
  }

  @Test
  void theLongFormHasTheRoundsOfItsRun() {
    assertThat(Settings.parse(new String[] {"engine"}, 1, Settings.engine(0)).rounds())
        .isEqualTo(200);
    assertThat(Settings.parse(new String[] {"remote"}, 1, Settings.remote(0)).rounds())
        .isEqualTo(40);
    assertThat(Settings.parse(new String[] {"records"}, 1, Settings.records(0)).rounds())
        .isEqualTo(40);
  }
}
