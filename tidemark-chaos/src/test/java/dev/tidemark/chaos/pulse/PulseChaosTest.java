package dev.tidemark.chaos.pulse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.chaos.run.Settings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 240, unit = TimeUnit.SECONDS)
class PulseChaosTest {
  private static final long SEED = 20261121;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @Test
  void onOurStoreNothingIsLostAndNothingHappensTwice() {
    assertThat(lastLine(false))
        .matches(
            "chaos pulse: events=[1-9]\\d* lost=0 jobs=[1-9]\\d* lost=0 doubleOwners=0"
                + " duplicateEffects=0 rounds=1 .* broken=0 seed="
                + SEED);
  }

  @Test
  void onRedisNothingIsLost() {
    assertThat(lastLine(true))
        .matches(
            "chaos pulse: events=[1-9]\\d* lost=0 jobs=[1-9]\\d* lost=0 doubleOwners=0 rounds=1 .*"
                + " broken=0 seed="
                + SEED);
  }

  private String lastLine(boolean redis) {
    Settings settings = new Settings(1, Settings.UNLIMITED, SEED, Duration.ofSeconds(5));
    boolean clean = new PulseChaos(settings, redis, out).run();
    String output = bytes.toString(StandardCharsets.UTF_8);
    assertThat(clean).as(output).isTrue();
    return output.lines().reduce("", (first, last) -> last);
  }
}
