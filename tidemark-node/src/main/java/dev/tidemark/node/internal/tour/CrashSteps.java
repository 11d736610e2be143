package dev.tidemark.node.internal.tour;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.StorageException;
import dev.tidemark.node.internal.tour.Bank.TransferId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What is left after a process dies in the middle of its work. */
final class CrashSteps {
  private static final int PATIENCE_SECONDS = 60;

  private final Path directory;
  private final DemoSize size;
  private final Consumer<String> remarks;
  private final Set<TransferId> acknowledged = ConcurrentHashMap.newKeySet();

  /** Steps that work in {@code directory}; what happens between them goes to {@code remarks}. */
  CrashSteps(Path directory, DemoSize size, Consumer<String> remarks) {
    this.directory = directory;
    this.size = size;
    this.remarks = remarks;
  }

  String killedProcessLosesNothing() throws IOException, InterruptedException {
    int transfers = 0;
    for (int run = 0; run < size.kills(); run++) {
      writeUntilKilled(run);
      try (EmbeddedDatabase database = EmbeddedDatabase.open(directory)) {
        database.verify();
        Set<TransferId> found = Bank.audit(database).transfers();
        Set<TransferId> lost = new HashSet<>(acknowledged);
        lost.removeAll(found);
        Proof.that(lost.isEmpty(), "no acknowledged transfer is lost", lost);
        transfers = found.size();
      }
      remarks.accept(
          String.format(
              Locale.ROOT,
              "kill -9 no. %d: %,d transfers acknowledged, %,d found, every balance right",
              run + 1,
              acknowledged.size(),
              transfers));
    }
    return String.format(
        Locale.ROOT,
        "%d kills of a writing process: all %,d acknowledged transfers kept, none half done",
        size.kills(),
        acknowledged.size());
  }

  private void writeUntilKilled(int run) throws IOException, InterruptedException {
    Path errors = directory.resolveSibling("errors-" + run);
    Process process = start(run, errors);
    try {
      CountDownLatch first = new CountDownLatch(1);
      Thread reader = Thread.startVirtualThread(() -> readLines(process, run, first));
      boolean writing = first.await(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.isAlive();
      Proof.that(writing, "the process writes", Files.readString(errors));
      refusesASecondProcess();
      boolean ended = process.waitFor(size.writing().toMillis(), TimeUnit.MILLISECONDS);
      Proof.that(!ended, "the process goes on", Files.readString(errors));
      process.destroyForcibly().waitFor();
      reader.join();
    } finally {
      process.destroyForcibly();
    }
  }

  private Process start(int run, Path errors) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            TransferProcess.class.getName(),
            directory.toString(),
            Integer.toString(run))
        .redirectError(errors.toFile())
        .start();
  }

  /** Notes what the process acknowledges until its output ends. */
  private void readLines(Process process, int run, CountDownLatch first) {
    try (BufferedReader lines = process.inputReader()) {
      lines
          .lines()
          .forEach(
              line ->
                  TransferProcess.acknowledged(line, run)
                      .ifPresent(
                          id -> {
                            acknowledged.add(id);
                            first.countDown();
                          }));
    } catch (IOException | UncheckedIOException cutOff) {
      // A kill may cut the pipe within a line; what was read until then counts.
    } finally {
      first.countDown();
    }
  }

  private void refusesASecondProcess() {
    try (EmbeddedDatabase second = EmbeddedDatabase.open(directory)) {
      Proof.that(false, "a directory in use is refused", second);
    } catch (StorageException refused) {
      Proof.that(
          refused.kind() == StorageException.Kind.IN_USE,
          "it is refused because it is in use",
          refused);
    }
  }
}
