package dev.tidemark.changes.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Memory of a process that captures and reads many changes. Ten million take some minutes: {@code
 * -Dtest=LongReadTest -Dtidemark.changes.records=10000000}.
 */
class LongReadTest {
  private static final long RECORDS = Long.getLong("tidemark.changes.records", 1_000_000);

  /**
   * What a full garbage collection may leave more or less of, whatever was read: cached rows,
   * changes under way, and the keys of the last five seconds. Some 30 bytes that each change left
   * behind would be more.
   */
  private static final long NOISE_KB = 16 << 10;

  @TempDir private Path directory;

  @Test
  @Timeout(value = 14, unit = TimeUnit.MINUTES)
  void memoryDoesNotGrowWithWhatWasRead() throws Exception {
    List<String> lines = run("-Xmx64m").lines().toList();
    lines.forEach(System.out::println);

    List<Long> kilobytes =
        lines.stream()
            .map(line -> Long.parseLong(line.replaceFirst(".*, (\\d+) kB", "$1")))
            .toList();
    assertThat(kilobytes).hasSize(10);
    // The first tenth has warmed up what is kept anyway. One look finds more or less of what is
    // under way; what grows with the number of changes raises the middle of the later ones.
    assertThat(median(kilobytes.subList(5, 10)))
        .isLessThan(median(kilobytes.subList(1, 5)) + NOISE_KB);
  }

  private static long median(List<Long> numbers) {
    return numbers.stream().sorted().skip(numbers.size() / 2).findFirst().orElseThrow();
  }

  private String run(String heap) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                heap,
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path", "")),
                LongRead.class.getName(),
                directory.toString(),
                Long.toString(RECORDS))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as("status of the reading process: " + output).isZero();
      return output;
    } finally {
      process.destroyForcibly();
    }
  }
}
