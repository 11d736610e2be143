package dev.tidemark.architecture;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the launcher answers before it builds or runs anything. */
class LauncherTest {
  private static final Pattern MAIN = Pattern.compile("dev\\.tidemark\\.[a-z]+\\.Main");

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

  /** What a command takes is known to its program alone. */
  @ParameterizedTest
  @CsvSource({"dance --wildly", "help records query", "bench engine --help", "records list x"})
  void wordsGoToTheProgramAsTheyAre(String words) throws Exception {
    List<String> line = started(words.split(" ", -1));

    assertThat(line.subList(line.indexOf("dev.tidemark.node.Main") + 1, line.size()))
        .containsExactly(words.split(" ", -1));
  }

  /**
   * The line that starts the JVM, of a copy that looks built, with a JDK that shows what it is
   * called with.
   */
  private List<String> started(String... arguments) throws Exception {
    Path root = directory.toRealPath();
    Path launcher = root.resolve("tidemark");
    Files.copy(Repository.root().resolve("tidemark"), launcher, COPY_ATTRIBUTES);
    Path java = executable(root.resolve("jdk/bin/java"), "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
    executable(java.resolveSibling("javac"), "#!/bin/sh\n");
    Files.writeString(root.resolve("jdk/release"), "JAVA_VERSION=\"25\"\n");
    Files.createDirectories(root.resolve("tidemark-node/target/classes"));
    Files.writeString(root.resolve("tidemark-node/target/classpath"), root.toString());
    Files.createDirectories(root.resolve("target/launcher"));
    Files.writeString(root.resolve("target/launcher/tidemark-node.stamp"), root.toString());

    List<String> line = new ArrayList<>(List.of(launcher.toString()));
    line.addAll(List.of(arguments));
    ProcessBuilder command = new ProcessBuilder(line).redirectErrorStream(true);
    command.environment().put("JAVA_HOME", root.resolve("jdk").toString());
    command.environment().put("TIDEMARK_JAVA_OPTS", "-Xmx8g -XX:+UseZGC");
    Process process = command.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(text).isZero();
    return text.lines().toList();
  }

  private static Path executable(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
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
