package dev.tidemark.node.internal.tour;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class DemoTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @Test
  void everyStepOfTheDemoProvesItsClaim() throws Exception {
    boolean proved = new Demo(DemoSize.SHORT, out).run();

    String text = bytes.toString(StandardCharsets.UTF_8);
    assertThat(proved).as(text).isTrue();
    assertThat(text).contains("demo: proved=13 failed=0").doesNotContain("FAIL");
  }
}
