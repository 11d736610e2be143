package dev.tidemark.kv.spi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TemporaryDirectoryTest {
  @Test
  void directoryGoesWhenItIsClosed() throws Exception {
    Path path;
    try (TemporaryDirectory directory = TemporaryDirectory.create("tidemark-test-")) {
      path = directory.path();
      Files.writeString(path.resolve("file"), "x");
    }
    assertThat(path).doesNotExist();
  }

  @Test
  void directoryThatIsKeptStays() throws Exception {
    Path path;
    try (TemporaryDirectory directory = TemporaryDirectory.create("tidemark-test-")) {
      path = directory.path();
      directory.keep();
    }
    assertThat(path).isDirectory();
    FileTrees.remove(path);
  }

  @Test
  void directoryGoesWithItsProcess() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String path = new String(process.getInputStream().readAllBytes(), UTF_8).strip();

    assertThat(process.waitFor()).isZero();
    assertThat(Path.of(path)).isAbsolute().doesNotExist();
  }

  /** Makes one, prints its path and ends without closing it. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) throws Exception {
      Path path = TemporaryDirectory.create("tidemark-test-").path();
      Files.writeString(path.resolve("file"), "x");
      System.out.println(path);
    }
  }
}
