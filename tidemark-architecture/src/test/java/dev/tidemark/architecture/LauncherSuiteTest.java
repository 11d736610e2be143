package dev.tidemark.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What `./tidemark test` makes of the end of Maven. */
class LauncherSuiteTest {
  private static final String MODULE =
      """
      echo '[INFO] Building tidemark-kv 0.1.0-SNAPSHOT                 [1/2]'
      echo '[INFO] Running dev.tidemark.kv.TupleTest'
      """;

  @TempDir private Path directory;
  private LauncherCopy copy;
  private Path jdk;

  @BeforeEach
  void copyLauncher() throws Exception {
    copy = LauncherCopy.in(directory).program("etcd", "");
    jdk = copy.jdk("jdk", 25);
  }

  @Test
  void endsWellWhenNoTestFails() throws Exception {
    Launcher answer =
        test(
            """
            echo '[INFO] Tests run: 7, Failures: 0, Errors: 0, Skipped: 0 -- in dev.tidemark.kv.TupleTest'
            report 7 0
            """);

    assertThat(answer.text())
        .containsPattern("tidemark-kv +7 tests")
        .endsWith("7 passed, 0 failed, 0 skipped\n");
    assertThat(answer.exitCode()).isZero();
  }

  @Test
  void failsWhenATestFailsAlthoughMavenGoesOnToTheNextModule() throws Exception {
    Launcher answer =
        test(
            """
            echo '[ERROR] Tests run: 7, Failures: 1, Errors: 0, Skipped: 0 -- in dev.tidemark.kv.TupleTest'
            report 7 1
            """);

    assertThat(answer.text())
        .contains("1 FAILED", "The build failed")
        .endsWith("6 passed, 1 failed, 0 skipped\n");
    assertThat(answer.exitCode()).isEqualTo(1);
  }

  @Test
  void failsWhenTheJvmOfTheTestsCrashesAndLeavesNoReport() throws Exception {
    Launcher answer =
        test("echo '[ERROR] The forked VM terminated without saying properly goodbye'");

    assertThat(answer.text()).contains("The forked VM terminated", "The build failed");
    assertThat(answer.exitCode()).isEqualTo(1);
  }

  @Test
  void failsWhenMavenDoes() throws Exception {
    assertThat(test("exit 3").exitCode()).isEqualTo(3);
  }

  /** Runs the suite with a Maven that does as {@code script} says. */
  private Launcher test(String script) throws Exception {
    copy.script(
        "mvnw",
        """
        report() {
          mkdir -p tidemark-kv/target/surefire-reports
          echo "<testsuite name=\\"TupleTest\\" tests=\\"$1\\" errors=\\"0\\" skipped=\\"0\\" failures=\\"$2\\">" \\
            >tidemark-kv/target/surefire-reports/TEST-TupleTest.xml
        }
        """
            + MODULE
            + script);
    return copy.run(Map.of("JAVA_HOME", jdk.toString()), "test");
  }
}
