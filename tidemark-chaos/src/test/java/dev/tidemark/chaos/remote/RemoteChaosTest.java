package dev.tidemark.chaos.remote;

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

class RemoteChaosTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  // With this seed the first round begins with a cut and the second one with a kill of the server,
  // so that both happen however slow the machine is.
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = 20261111)
  @Timeout(value = 180, unit = TimeUnit.SECONDS)
  void twoRoundsLoseNothingAndDoNothingTwice(long seed) {
    boolean clean =
        new RemoteChaos(new Settings(2, Settings.UNLIMITED, seed, Duration.ofSeconds(3)), out)
            .run();
    String output = bytes.toString(StandardCharsets.UTF_8);
    assertThat(clean).as(output).isTrue();
    assertThat(output.lines().reduce("", (first, last) -> last))
        .matches(
            "chaos remote: rounds=2 transfers=[1-9]\\d* cuts=[1-9]\\d* kills=[1-9]\\d* lost=0"
                + " torn=0 broken=0 .* settled=[1-9].*");
  }
}
