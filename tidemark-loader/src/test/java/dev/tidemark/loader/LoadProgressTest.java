package dev.tidemark.loader;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.TimeSource;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoadProgressTest {
  private static final Duration OFTEN = Duration.ofMillis(1);

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
  private final AtomicInteger asked = new AtomicInteger();

  @SuppressWarnings("try") // progress is shown while it is open, without being named
  private void show(boolean terminal) {
    try (LoadProgress progress =
        LoadProgress.on(out, terminal, () -> "step " + asked.incrementAndGet(), OFTEN)) {
      eventually("two are shown", () -> asked.get() > 2);
    }
  }

  private String shown() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void terminalHasOneLineThatIsGoneAtTheEnd() {
    show(true);

    assertThat(shown()).startsWith("\r\u001b[Kstep 1\r\u001b[Kstep 2").endsWith("\r\u001b[K");
    assertThat(shown()).doesNotContain("\n");
  }

  @Test
  void logHasALineEachTime() {
    show(false);

    assertThat(shown().lines()).startsWith("step 1", "step 2");
    assertThat(shown()).doesNotContain("\u001b").endsWith(System.lineSeparator());
  }

  @Test
  void lineSaysHowFarALoadIs() {
    QueueModel queue = new QueueModel(TimeSource.system(), Duration.ofSeconds(60));
    try (Loader loader =
        Loader.open(queue, new MemoryWarehouse(), new KeyValueMapping(), letters -> {})) {
      assertThat(LoadProgress.text(loader.statistics()))
          .isEqualTo("0 pulled, 0 merged in 0 batches, 0 dead, 0 given back; 0 wait, 0 in flight");
    }
  }
}
