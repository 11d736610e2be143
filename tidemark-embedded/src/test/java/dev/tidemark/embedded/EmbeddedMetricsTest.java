package dev.tidemark.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.Transaction;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class EmbeddedMetricsTest {
  @Test
  void metersFollowTheDatabase() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (EmbeddedDatabase db = EmbeddedDatabase.inMemory()) {
      new EmbeddedMetrics(db).bindTo(registry);
      db.run(tx -> tx.set(Key.utf8("a"), new byte[1]));
      db.run(tx -> tx.set(Key.utf8("a"), new byte[2]));
      try (Transaction open = db.begin()) {
        open.get(Key.utf8("a"));
        assertThat(registry.get("tidemark.commits").functionCounter().count()).isEqualTo(2);
        assertThat(registry.get("tidemark.transactions.open").gauge().value()).isEqualTo(1);
        assertThat(registry.get("tidemark.versions.live").gauge().value()).isEqualTo(1);
        assertThat(registry.get("tidemark.commit.group.p99").gauge().value()).isPositive();
      }
      assertThat(registry.get("tidemark.transactions.open").gauge().value()).isZero();
    }
    assertThat(registry.get("tidemark.commits").functionCounter().count()).isEqualTo(2);
  }

  @Test
  void theDatabaseWorksWithoutMicrometer() throws Exception {
    String classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.contains("micrometer"))
            .collect(Collectors.joining(File.pathSeparator));
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath,
                WithoutMicrometer.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(other.getInputStream().readAllBytes(), UTF_8);
    assertThat(other.waitFor()).as(said).isZero();
    assertThat(said).contains("commits=1");
  }

  /** Commits once and prints the statistics. */
  static final class WithoutMicrometer {
    public static void main(String[] arguments) {
      try (EmbeddedDatabase db = EmbeddedDatabase.inMemory()) {
        db.run(tx -> tx.set(Key.utf8("a"), new byte[1]));
        System.out.println(db.statistics());
      }
    }
  }
}
