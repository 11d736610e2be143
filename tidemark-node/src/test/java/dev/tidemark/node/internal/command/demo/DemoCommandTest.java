package dev.tidemark.node.internal.command.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.node.Call;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The demo with meters, through the command. */
class DemoCommandTest {
  private static final Pattern READINGS =
      Pattern.compile(
          "demo: readings=(\\d+) records=\\1 changes=\\1 warehouse=\\1 lost=0 duplicated=0");

  private record Outcome(int exitCode, String text) {}

  @TempDir private Path directory;

  @Test
  void numbersAgreeAfterAWorkerIsKilledAndASecondRunGoesOn() {
    Outcome first = demo("--seconds", "4", "--meters", "30", "--data", directory.toString());
    assertThat(first.exitCode()).as(first.text()).isZero();
    assertThat(first.text()).contains("is killed", "lost=0 duplicated=0");

    Outcome second = demo("--seconds", "2", "--meters", "30", "--data", directory.toString());
    assertThat(second.exitCode()).as(second.text()).isZero();
    assertThat(second.text()).contains("from an earlier run", "lost=0 duplicated=0");
    assertThat(readings(second)).isGreaterThan(readings(first)).isPositive();
  }

  @Test
  void dataInUseIsSaid() {
    try (EmbeddedDatabase other = EmbeddedDatabase.open(directory.resolve("store"))) {
      assertThat(other.statistics().commits()).isNotNegative();
      Outcome refused = demo("--seconds", "1", "--data", directory.toString());

      assertThat(refused.exitCode()).isEqualTo(1);
      assertThat(refused.text()).contains("is open already");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "--fast | demo has no option '--fast'",
        "--seconds | Missing required parameter for option '--seconds' (N)",
        "--seconds,0 | --seconds takes a whole number from 1 to 86,400, not 0",
        "--meters,many | '--meters': 'many' is not an int",
      })
  void wrongArgumentIsNamed(String arguments, String message) {
    Outcome refused = demo(arguments.split(",", -1));

    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.text()).contains(message, "Usage: tidemark demo");
  }

  private static Outcome demo(String... options) {
    String[] arguments = new String[options.length + 1];
    arguments[0] = "demo";
    System.arraycopy(options, 0, arguments, 1, options.length);
    Call call = new Call();
    int exitCode = call.run(arguments);
    return new Outcome(exitCode, call.out() + call.err());
  }

  private static long readings(Outcome printed) {
    Matcher found = READINGS.matcher(printed.text());
    assertThat(found.find()).as(printed.text()).isTrue();
    return Long.parseLong(found.group(1));
  }
}
