package dev.tidemark.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.StorageException;
import dev.tidemark.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A server whose disk is full for a while. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@EnabledOnOs(OS.LINUX)
class FullDiskTest {
  private static final Key A = Key.utf8("a");
  private static final byte[] LARGE = new byte[90_000];

  @TempDir Path directory;

  /** Puts the logs that RocksDB begins from now on where there is never any space. */
  private List<Path> fillDisk() throws IOException {
    List<Path> logs = new ArrayList<>();
    for (int number = 5; number < 100; number++) {
      Path log = directory.resolve("data").resolve("%06d.log".formatted(number));
      if (!Files.exists(log)) {
        logs.add(Files.createSymbolicLink(log, Path.of("/dev/full")));
      }
    }
    return logs;
  }

  private static StorageException failure(Database client, AtomicInteger bodies) {
    StorageException failure = null;
    for (int i = 0; i < 1_000 && failure == null; i++) {
      bodies.set(0);
      failure =
          catchThrowableOfType(
              StorageException.class,
              () ->
                  client.run(
                      tx -> {
                        bodies.incrementAndGet();
                        tx.set(A, LARGE);
                      }));
    }
    if (failure == null) {
      throw new AssertionError("No commit has failed");
    }
    return failure;
  }

  private static boolean commits(Database client) {
    try {
      client.run(tx -> tx.set(A, LARGE));
      return true;
    } catch (StorageException stillFull) {
      return false;
    }
  }

  @Test
  void clientIsToldOfItAtOnceAndGoesOnWhenThereIsSpace() throws IOException {
    try (EmbeddedDatabase served =
            EmbeddedDatabase.open(directory, o -> o.withWriteBufferBytes(1 << 20));
        DatabaseServer server = DatabaseServer.open(served);
        RemoteDatabase client = RemoteDatabase.connect(server.uri())) {
      List<Path> full = fillDisk();
      AtomicInteger bodies = new AtomicInteger();
      StorageException failure = failure(client, bodies);
      assertThat(failure.kind()).isEqualTo(StorageException.Kind.DISK_FULL);
      assertThat(failure.maybeCommitted()).isTrue();
      assertThat(bodies).hasValue(1);
      for (Path log : full) {
        Files.deleteIfExists(log);
      }
      Eventually.eventually("a commit", () -> commits(client));
    }
  }
}
