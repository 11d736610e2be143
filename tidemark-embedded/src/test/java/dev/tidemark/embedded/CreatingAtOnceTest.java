package dev.tidemark.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.StorageException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several processes open one directory at the same moment, in which there is nothing yet. */
class CreatingAtOnceTest {
  private static final int PROCESSES = 6;
  private static final int DIRECTORIES = 20;
  private static final String OPENED = "opened";

  @TempDir Path folder;

  @Test
  @Timeout(value = 120, unit = TimeUnit.SECONDS)
  void oneProcessCreatesTheDatabaseAndTheOthersAreToldThatItIsInUse() throws Exception {
    List<Opener> openers = new ArrayList<>();
    try {
      for (int i = 0; i < PROCESSES; i++) {
        openers.add(new Opener());
      }
      for (Opener opener : openers) {
        assertThat(opener.hear()).isEqualTo("ready");
      }
      for (int i = 0; i < DIRECTORIES; i++) {
        Path directory = folder.resolve("deep").resolve("database" + i);
        for (Opener opener : openers) {
          opener.tell(directory.toString());
        }
        List<String> results = new ArrayList<>();
        for (Opener opener : openers) {
          results.add(opener.hear());
        }
        List<String> expected = new ArrayList<>(List.of(OPENED));
        while (expected.size() < PROCESSES) {
          expected.add(StorageException.Kind.IN_USE.name());
        }
        assertThat(results).containsExactlyInAnyOrderElementsOf(expected);
        for (Opener opener : openers) {
          opener.tell("close");
        }
      }
    } finally {
      for (Opener opener : openers) {
        opener.end();
      }
    }
  }

  /** A process that opens what it is told to. */
  private static final class Opener {
    private final Process process;
    private final BufferedWriter to;
    private final BufferedReader from;

    Opener() throws IOException {
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx128m",
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  CreatingAtOnceTest.class.getName())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      to = process.outputWriter(UTF_8);
      from = process.inputReader(UTF_8);
    }

    void tell(String line) throws IOException {
      to.write(line);
      to.newLine();
      to.flush();
    }

    String hear() throws IOException {
      return String.valueOf(from.readLine());
    }

    void end() throws InterruptedException {
      process.destroyForcibly().waitFor();
    }
  }

  /** What a process does: opens each directory that it reads, and closes it at the next line. */
  public static void main(String[] args) throws IOException {
    EmbeddedDatabase.inMemory().close();
    System.out.println("ready");
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      try {
        EmbeddedDatabase db = EmbeddedDatabase.open(Path.of(line));
        System.out.println(OPENED);
        in.readLine();
        db.close();
      } catch (StorageException refused) {
        System.out.println(
            refused.kind() == StorageException.Kind.IN_USE ? refused.kind() : refused);
        in.readLine();
      }
    }
  }
}
