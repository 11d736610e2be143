package dev.tidemark.loader;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeadLetterFileTest {
  @TempDir private Path directory;

  private static DeadLetter letter(String id) {
    Message message =
        Message.of(id, Instant.EPOCH, Map.of("power", "a\nb"), "x".repeat(3_000).getBytes(UTF_8));
    return new DeadLetter(UUID.randomUUID(), "test", message, "power is refused", Instant.EPOCH);
  }

  @Test
  void lettersAreLinesBehindThoseThatAreThere() throws IOException {
    Path file = directory.resolve("letters.jsonl");
    DeadLetters.toFile(file).write(List.of(letter("m1"), letter("m2")));
    DeadLetters.toFile(file).write(List.of(letter("m3")));

    assertThat(Files.readAllLines(file))
        .hasSize(3)
        .allSatisfy(line -> assertThat(line).startsWith("{").endsWith("}"))
        .last()
        .satisfies(line -> assertThat(line).contains("\"message\":\"m3\"", "power is refused"));
  }

  /** Each has its own object for the file, as processes have. */
  @Test
  void loadersThatShareAFileOverwriteNoLetter() throws Exception {
    Path file = directory.resolve("letters.jsonl");
    int writers = 4;
    int each = 50;
    try (ExecutorService threads = Executors.newFixedThreadPool(writers)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < writers; i++) {
        int writer = i;
        DeadLetters letters = DeadLetters.toFile(file);
        all.add(
            threads.submit(
                () -> {
                  for (int n = 0; n < each; n++) {
                    letters.write(List.of(letter("w" + writer + "-" + n)));
                  }
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    assertThat(Files.readAllLines(file))
        .hasSize(writers * each)
        .doesNotHaveDuplicates()
        .allSatisfy(line -> assertThat(line).startsWith("{").endsWith("}"));
  }

  @Test
  void letterAfterALineThatWasCutIsALineOfItsOwn() throws IOException {
    Path file = directory.resolve("letters.jsonl");
    Files.writeString(file, "{\"delivery\":\"of a process that was kil");

    DeadLetters.toFile(file).write(List.of(letter("m1")));

    assertThat(Files.readAllLines(file))
        .hasSize(2)
        .last()
        .satisfies(line -> assertThat(line).startsWith("{\"delivery\"").endsWith("}"));
  }

  @Test
  void fileThatCannotBeWrittenIsNamed() {
    Path file = directory.resolve("missing/letters.jsonl");

    assertThatThrownBy(() -> DeadLetters.toFile(file).write(List.of(letter("m1"))))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(file.toString());
  }
}
