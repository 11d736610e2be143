package dev.tidemark.node.internal.tour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.node.internal.console.Console;
import dev.tidemark.node.internal.console.Format;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class DemoTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @Test
  void scriptGetsEverythingAsEvents() throws Exception {
    boolean proved = new Demo(DemoSize.SHORT, Console.to(out, out), Format.of(true)).run();

    String text = bytes.toString(StandardCharsets.UTF_8);
    assertThat(proved).as(text).isTrue();
    assertThat(text.lines()).allMatch(line -> line.startsWith("{\"event\":\""));
    assertThat(text)
        .startsWith("{\"event\":\"started\",")
        .contains("{\"event\":\"step\",\"step\":\"crash\",\"holds\":true,\"text\":\"")
        .contains("{\"event\":\"ended\",\"proved\":13,\"failed\":0,\"seconds\":");
  }

  @Test
  void everyStepOfTheDemoProvesItsClaim() throws Exception {
    boolean proved = new Demo(DemoSize.SHORT, Console.to(out, out), Format.of(false)).run();

    String text = bytes.toString(StandardCharsets.UTF_8);
    assertThat(proved).as(text).isTrue();
    assertThat(text).contains("demo: proved=13 failed=0").doesNotContain("FAIL");
  }
}
