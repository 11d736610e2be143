package com.example.tutorial;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.testkit.Guide;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The service of docs/tutorial.md is the one that runs here, in two processes. */
class TutorialTest {
  private static final Guide GUIDE = Guide.read("docs/tutorial.md");
  private static final Pattern PORT = Pattern.compile("127\\.0\\.0\\.1:\\d+");
  private static final List<String> STEPS =
      List.of(
          "## 1. Open a store",
          "## 2. A record",
          "## 3. A query",
          "## 4. An event in the same commit",
          "## 5. A sink that acknowledges in your transaction",
          "## 6. A job",
          "## 7. A replicated map",
          "## 8. A change reader",
          "## 9. An actor whose answer and record are one commit",
          "## 10. A loader into DuckDB",
          "## 11. A second process");

  @Test
  void pageShowsTheCodeThatRuns() {
    GUIDE.showsCodeOf(18, "tidemark-all/src/test/java/com/example/tutorial");
  }

  @Test
  @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void eachStepPrintsWhatThePageShows(@TempDir Path folder) throws Exception {
    Process service = start(folder, "Meters", folder.resolve("meters").toString(), "0");
    try (BufferedReader out = service.inputReader(UTF_8)) {
      List<String> said = new ArrayList<>();
      while (said.isEmpty() || !said.getLast().contains("tidemark://")) {
        said.add(next(out, folder, said));
      }
      said.addAll(readings(folder, said.getLast().replaceAll(".*(tidemark://[0-9.:]+).*", "$1")));
      service.outputWriter(UTF_8).append('\n').flush();
      said.add(next(out, folder, said));
      assertThat(service.waitFor(60, TimeUnit.SECONDS)).as("the service ends").isTrue();
      assertThat(service.exitValue()).isZero();

      for (int i = 0; i < STEPS.size(); i++) {
        String number = (i + 1) + ". ";
        List<String> lines = said.stream().filter(line -> line.startsWith(number)).toList();
        assertThat(lines).as("what step %d prints", i + 1).isNotEmpty();
        GUIDE.part(STEPS.get(i)).showsOutput(String.join("\n", lines), PORT);
      }
    } finally {
      service.destroyForcibly();
    }
  }

  private static String next(BufferedReader out, Path folder, List<String> said)
      throws IOException {
    String line = out.readLine();
    assertThat(line).as("after %s, see %s", said, folder.resolve("Meters.err")).isNotNull();
    return line;
  }

  /** What the second process prints. */
  private static List<String> readings(Path folder, String address) throws Exception {
    Process dashboard = start(folder, "Dashboard", address);
    try (BufferedReader out = dashboard.inputReader(UTF_8)) {
      List<String> lines = out.lines().toList();
      assertThat(dashboard.waitFor(60, TimeUnit.SECONDS)).as("the dashboard ends").isTrue();
      assertThat(dashboard.exitValue()).isZero();
      return lines;
    } finally {
      dashboard.destroyForcibly();
    }
  }

  private static Process start(Path folder, String program, String... arguments)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "com.example.tutorial." + program));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectError(folder.resolve(program + ".err").toFile())
        .start();
  }
}
