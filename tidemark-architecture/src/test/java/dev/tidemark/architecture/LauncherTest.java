package dev.tidemark.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the launcher answers before it builds or runs anything. */
class LauncherTest {
  private static final Pattern MAIN = Pattern.compile("\\bdev\\.tidemark\\.[a-z.]+\\.[A-Z]\\w+");

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"\" | a command is needed",
        "test --fast | test takes no arguments, but got '--fast'",
        "load | load needs a NAME"
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
  void helpNamesTheRunsAndWhatIsPassedToJava() throws Exception {
    assertThat(Launcher.run("help").text())
        .contains("engine, remote, records, queries, pulse")
        .contains("engine, remote, records, pulse")
        .contains("TIDEMARK_JAVA_OPTS");
  }

  @Test
  void optionsOfTheCallerGoToTheJvmBeforeTheProgram() throws Exception {
    assertThat(started("serve", "a directory"))
        .containsSubsequence(
            "-Xmx8g", "-XX:+UseZGC", "dev.tidemark.node.Main", "serve", "a directory");
  }

  @ParameterizedTest
  @CsvSource({
    "kv get x y, true",
    "records query --help, true",
    "dance, true",
    "serve x, false",
    "demo --seconds 5, false",
    "kv copy x y, false",
    "load stream x y z, false",
    "records index build x y z, false"
  })
  void commandsThatEndSoonStartWithTheQuickCompiler(String words, boolean quick) throws Exception {
    LauncherCopy copy = LauncherCopy.in(directory).looksBuilt();
    Launcher answer =
        copy.run(Map.of("JAVA_HOME", copy.jdk("jdk", 25).toString()), words.split(" ", -1));

    assertThat(answer.text().lines().toList().contains("-XX:TieredStopAtLevel=1")).isEqualTo(quick);
  }

  /** What a command takes is known to its program alone. */
  @ParameterizedTest
  @CsvSource({"dance --wildly", "help records query", "bench engine --help", "records list x"})
  void wordsGoToTheProgramAsTheyAre(String words) throws Exception {
    List<String> line = started(words.split(" ", -1));

    assertThat(line.subList(line.indexOf("dev.tidemark.node.Main") + 1, line.size()))
        .containsExactly(words.split(" ", -1));
  }

  /** Google's client would be in the way of the other commands. */
  @Test
  void changesOfASpannerDatabaseAreReadByTheModuleThatHasGooglesClient() throws Exception {
    String database = "projects/p/instances/i/databases/d";
    assertThat(started("changes", "tail", "--json", database, "ledger"))
        .endsWith(
            "dev.tidemark.changes.spanner.ChangesCommand", "tail", "--json", database, "ledger");
    assertThat(started("changes", "tail", "/var/lib/shop", "shop/orders", "orders"))
        .contains("dev.tidemark.node.Main");
  }

  /** The line that starts the JVM, by words. */
  private List<String> started(String... arguments) throws Exception {
    LauncherCopy copy = LauncherCopy.in(directory).looksBuilt();
    Launcher answer =
        copy.run(
            Map.of(
                "JAVA_HOME",
                copy.jdk("jdk", 25).toString(),
                "TIDEMARK_JAVA_OPTS",
                "-Xmx8g -XX:+UseZGC"),
            arguments);

    assertThat(answer.exitCode()).as(answer.text()).isZero();
    return answer.text().lines().toList();
  }

  @Test
  void programsThatItStartsExist() {
    List<String> programs =
        MAIN.matcher(Repository.read("tidemark")).results().map(MatchResult::group).toList();

    assertThat(programs)
        .contains("dev.tidemark.node.Main", "dev.tidemark.bench.Main", "dev.tidemark.chaos.Main");
    for (String program : programs) {
      assertThat(Repository.classes().contain(program)).as(program).isTrue();
    }
  }
}
