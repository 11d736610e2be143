package dev.tidemark.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the launcher answers before it builds or runs anything. */
class LauncherTest {
  private static final Pattern MAIN = Pattern.compile("dev\\.tidemark\\.[a-z]+\\.Main");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"\" | a command is needed",
        "dance | there is no command 'dance'",
        "test --fast | test takes no arguments, but got '--fast'",
        "demo twice | demo takes no arguments, but got 'twice'",
        "serve | serve needs a DIRECTORY first",
        "serve --port 1 | serve needs a DIRECTORY first",
        "bench | bench needs a NAME",
        "bench --quick | bench needs a NAME",
        "bench engine --slow | bench has no option '--slow'",
        "bench engine --quick more | bench has no option 'more'",
        "bench ../engine | '../engine' is no name of a bench run",
        "chaos engine --rounds many | --rounds takes a whole number, not 'many'",
        "chaos engine --seconds | --seconds takes a whole number, not ''",
        "chaos engine --redis | chaos engine has no option '--redis'",
        "chaos engine --gently | chaos has no option '--gently'"
      })
  void mistakeIsNamedWithTheUsageAndExitCode2(String line, String reason) throws Exception {
    Launcher answer = Launcher.run(line.isEmpty() ? new String[0] : line.split(" ", -1));

    assertThat(answer.text()).startsWith("tidemark: " + reason).contains("Usage: ./tidemark");
    assertThat(answer.exitCode()).isEqualTo(2);
  }

  @Test
  void helpIsNoMistake() throws Exception {
    assertThat(Launcher.run("help").exitCode()).isZero();
  }

  @Test
  void programsThatItStartsExist() {
    List<String> programs =
        MAIN.matcher(Repository.read("tidemark")).results().map(MatchResult::group).toList();

    assertThat(programs).hasSize(5);
    for (String program : programs) {
      assertThat(Repository.classes().contain(program)).as(program).isTrue();
    }
  }
}
