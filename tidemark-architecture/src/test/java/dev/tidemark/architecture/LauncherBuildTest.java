package dev.tidemark.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the launcher builds what it starts. */
class LauncherBuildTest {
  /** Takes a while, and says so if another one runs meanwhile. */
  private static final String MAVEN =
      """
      mkdir building || echo overlap >>maven.log
      echo build >>maven.log
      sleep 1
      mkdir -p tidemark-node/target/classes
      printf '%s' . >tidemark-node/target/classpath
      rmdir building
      """;

  @TempDir private Path directory;

  @Test
  void callsAtOnceBeforeTheFirstBuildBuildOnceAndAllStart() throws Exception {
    LauncherCopy copy = LauncherCopy.in(directory).script("mvnw", MAVEN);
    Map<String, String> environment = Map.of("JAVA_HOME", copy.jdk("jdk", 25).toString());
    List<Launcher> answers = new ArrayList<>();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Launcher>> calls = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        calls.add(callers.submit(() -> copy.run(environment, "records", "list")));
      }
      for (Future<Launcher> call : calls) {
        answers.add(call.get());
      }
    }
    assertThat(answers)
        .allSatisfy(
            answer -> {
              assertThat(answer.exitCode()).as(answer.text()).isZero();
              assertThat(answer.text()).contains("dev.tidemark.node.Main", "records", "list");
            });
    assertThat(directory.resolve("maven.log")).hasContent("build");
  }

  /** Whoever may write everywhere, like root, may build too: a file in the way is for everybody. */
  @Test
  void whoCannotBuildIsToldInsteadOfWaitingForEver() throws Exception {
    LauncherCopy copy = LauncherCopy.in(directory).script("mvnw", MAVEN);
    Files.createFile(directory.resolve("target"));
    Map<String, String> environment = Map.of("JAVA_HOME", copy.jdk("jdk", 25).toString());

    Launcher answer = copy.run(environment, "completion");
    assertThat(answer.exitCode()).isEqualTo(1);
    assertThat(answer.text())
        .contains("tidemark: tidemark-node has to be built, and this user may not write to");
    assertThat(directory.resolve("maven.log")).doesNotExist();
  }

  @Test
  void whatABuildSaysIsNotPartOfWhatTheCommandPrints() throws Exception {
    LauncherCopy copy =
        LauncherCopy.in(directory)
            .script("mvnw", "echo '[INFO] Building tidemark-kv 1 [1/2]'\n" + MAVEN);
    Map<String, String> environment = Map.of("JAVA_HOME", copy.jdk("jdk", 25).toString());

    Launcher answer = copy.runForScript(environment, "completion");
    assertThat(answer.exitCode()).isZero();
    assertThat(answer.text())
        .contains("dev.tidemark.node.Main")
        .doesNotContainIgnoringCase("building");
    assertThat(directory.resolve("errors.log"))
        .content()
        .contains("Building tidemark-node", "building tidemark-kv [1/2]");
  }

  /**
   * Modules that bench and chaos need use jars of other modules' tests. In a clone that was never
   * built Maven finds those from this phase on, also where tests are not compiled.
   */
  @Test
  void buildGoesOnToThePhaseInWhichJarsOfTestsAreFound() throws Exception {
    LauncherCopy copy =
        LauncherCopy.in(directory).script("mvnw", "echo \"$@\" > maven.log; exit 1");
    copy.run(Map.of("JAVA_HOME", copy.jdk("jdk", 25).toString()), "chaos", "engine");

    assertThat(directory.resolve("maven.log"))
        .content()
        .contains("-pl tidemark-chaos", "-Dmaven.test.skip=true", " test-compile ");
  }
}
