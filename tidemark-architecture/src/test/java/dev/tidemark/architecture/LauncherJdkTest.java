package dev.tidemark.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which JDK the launcher takes, and what it does where there is none. */
class LauncherJdkTest {
  private static final String APT_CACHE =
      """
      case $*:$(cat updated 2>/dev/null) in
        'policy openjdk-21-jdk-headless:yes') echo '  Candidate: 21.0.5' ;;
        *) echo '  Candidate: (none)' ;;
      esac
      """;

  /** Its install makes the JDK of the package: the test moves it to where systems have theirs. */
  private static final String APT_GET =
      """
      echo "$*" >>apt-get.log
      case $1 in
        update) printf yes >updated ;;
        install) mkdir -p system/usr/lib/jvm && cp -r package system/usr/lib/jvm/java-21 ;;
      esac
      """;

  @TempDir private Path directory;
  private LauncherCopy copy;

  @BeforeEach
  void copyLauncher() throws Exception {
    copy = LauncherCopy.in(directory).looksBuilt();
  }

  @ParameterizedTest
  @ValueSource(ints = {21, 22, 25, 26})
  void takesTheOneOfItsCallerFrom21On(int version) throws Exception {
    copy.jdk("system/usr/lib/jvm/newest", 27);
    Path jdk = copy.jdk("jdk", version);

    Launcher answer = copy.run(Map.of("JAVA_HOME", jdk.toString()), "records", "list");

    assertThat(answer.text()).contains("dev.tidemark.node.Main", "records", "list");
    assertThat(answer.exitCode()).isZero();
  }

  @Test
  void takesTheNewestThatIsInstalledWhereTheCallersIsTooOld() throws Exception {
    copy.jdk("system/usr/lib/jvm/a", 21);
    Path newest = copy.jdk("system/usr/lib/jvm/b", 25);
    copy.jdk("system/usr/lib/jvm/c", 17);
    copy.jdk("system/opt/jdk-x", 24);
    copy.script("mvnw", "echo home $JAVA_HOME >maven.log");
    copy.run(Map.of("JAVA_HOME", copy.jdk("jdk", 17).toString()), "bench", "engine");

    assertThat(directory.resolve("maven.log")).hasContent("home " + newest);
  }

  @ParameterizedTest
  @CsvSource({"21, false", "22, false", "23, true", "25, true"})
  void mavenGetsOptionsThatTheJvmKnows(int version, boolean unsafe) throws Exception {
    copy.script("mvnw", "echo $MAVEN_OPTS >maven.log");
    copy.run(Map.of("JAVA_HOME", copy.jdk("jdk", version).toString()), "bench", "engine");

    assertThat(directory.resolve("maven.log"))
        .content()
        .contains("--enable-native-access")
        .matches(options -> options.contains("--sun-misc-unsafe-memory-access=allow") == unsafe);
  }

  @Test
  void installsOneFromThePackagesWhereItMay() throws Exception {
    copy.program("id", "echo 0").program("apt-cache", APT_CACHE).program("apt-get", APT_GET);
    copy.jdk("package", 21);

    Launcher answer = copy.run(Map.of(), "records", "list");

    assertThat(answer.text())
        .contains("no JDK 21 or newer was found", "installing openjdk-21-jdk-headless")
        .contains("dev.tidemark.node.Main");
    assertThat(answer.exitCode()).isZero();
    assertThat(directory.resolve("apt-get.log"))
        .hasContent("update\ninstall -y --no-install-recommends openjdk-21-jdk-headless");
  }

  @Test
  void saysTheLineToRunWhereItMayNotInstall() throws Exception {
    copy.program("id", "echo 1000").program("apt-cache", APT_CACHE).program("apt-get", APT_GET);

    Launcher without = copy.run(Map.of(), "records", "list");
    assertThat(without.text()).contains("no JDK 21 or newer was found", "https://adoptium.net");
    assertThat(without.exitCode()).isEqualTo(1);

    copy.program("apt-cache", "echo '  Candidate: 25.0.1'");
    Launcher known = copy.run(Map.of(), "records", "list");
    assertThat(known.text()).contains("  sudo apt-get install -y openjdk-25-jdk-headless\n");
    assertThat(known.exitCode()).isEqualTo(1);
    assertThat(directory.resolve("apt-get.log")).doesNotExist();
  }
}
