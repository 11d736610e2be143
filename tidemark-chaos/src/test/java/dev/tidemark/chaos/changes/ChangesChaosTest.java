package dev.tidemark.chaos.changes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.chaos.run.Settings;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ChangesChaosTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  // One round with embedded writers and one with served ones; each does every deed.
  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void twoRoundsMissNothingAndApplyNothingTwice() {
    boolean clean =
        new ChangesChaos(new Settings(2, Settings.UNLIMITED, 20261119, Duration.ofMillis(900)), out)
            .run();

    String output = bytes.toString(StandardCharsets.UTF_8);
    assertThat(clean).as(output).isTrue();
    assertThat(output.lines().reduce("", (first, last) -> last))
        .matches(
            "chaos changes: rounds=2 commits=[1-9]\\d* missing=0 inversions=0 duplicateEffects=0"
                + " changes=[1-9]\\d* broken=0 kill=2 .*pause=2 split=[1-9].*");
  }

  @Test
  void effectsTellWhatCameTwiceAndWhatCameTooLate() {
    try (Database database = EmbeddedDatabase.inMemory()) {
      database.run(
          tx -> {
            ChangesEffects effects = new ChangesEffects(tx);
            effects.apply(7, 1);
            effects.apply(7, 3);
          });
      database.run(tx -> new ChangesEffects(tx).apply(7, 3));
      database.run(tx -> new ChangesEffects(tx).apply(7, 2));

      Map<Long, Long> counts = database.read(tx -> ChangesEffects.counts(tx, 7));
      long last = database.read(tx -> ChangesEffects.last(tx, 7));
      assertThat(counts).isEqualTo(Map.of(1L, 1L, 2L, 1L, 3L, 2L));
      assertThat(last).isEqualTo(3);
      assertThat(database.read(ChangesEffects::inversions))
          .containsExactly("record and value (7, 2)", "record and value (7, 3)");
    }
  }
}
