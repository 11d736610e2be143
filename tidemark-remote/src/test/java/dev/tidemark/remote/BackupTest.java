package dev.tidemark.remote;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.grpc.Role;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.backup.BackupProgress;
import dev.tidemark.kv.backup.BackupTarget;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Backups of a served store, over real sockets. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class BackupTest {
  private static final int ROWS = 300;
  private static final int VALUE_BYTES = 20_000;

  @TempDir Path directory;

  private EmbeddedDatabase served;
  private DatabaseServer server;
  private Path target;

  @BeforeEach
  void serve() {
    served = EmbeddedDatabase.open(directory.resolve("store"));
    server = DatabaseServer.open(served);
    target = directory.resolve("backup");
    Random random = new Random(1);
    for (int row = 0; row < ROWS; row++) {
      byte[] value = new byte[VALUE_BYTES];
      random.nextBytes(value);
      Key key = Key.utf8("row-%05d".formatted(row));
      served.run(tx -> tx.set(key, value));
    }
  }

  @AfterEach
  void close() {
    server.close();
    served.close();
  }

  @Test
  void clientGetsABackupThatRestores() {
    List<BackupProgress> told = new ArrayList<>();
    try (RemoteDatabase client = RemoteDatabase.connect(server.uri())) {
      client.backup(target, told::add);
    }
    assertThat(told).hasSizeGreaterThan(3);
    assertThat(told.getFirst().bytes()).isZero();
    assertThat(told.getFirst().bytesTotal()).isGreaterThan((long) ROWS * VALUE_BYTES);
    assertThat(told.getLast().isWhole()).isTrue();
    assertThat(told.stream().map(BackupProgress::bytes)).isSorted();
    EmbeddedDatabase.restore(target, directory.resolve("restored"));
    try (EmbeddedDatabase restored = EmbeddedDatabase.open(directory.resolve("restored"))) {
      restored.verify();
      for (int row = 0; row < ROWS; row++) {
        Key key = Key.utf8("row-%05d".formatted(row));
        assertThat(restored.read(tx -> tx.get(key)).orElseThrow())
            .isEqualTo(served.read(tx -> tx.get(key)).orElseThrow());
      }
    }
    assertNoCheckpointIsLeft();
  }

  /** Two rows that every commit sets to the same number are the same in the backup. */
  @Test
  void backupIsOneMomentWhileOthersCommit() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger committed = new AtomicInteger();
    try (RemoteDatabase client = RemoteDatabase.connect(server.uri())) {
      together(
          () -> {
            eventually("something is committed", () -> committed.get() > 0);
            try {
              client.backup(target);
            } finally {
              done.set(true);
            }
          },
          () -> {
            for (int n = 1; !done.get(); n++) {
              byte[] value = ByteBuffer.allocate(4).putInt(n).array();
              client.run(
                  tx -> {
                    tx.set(Key.utf8("a"), value);
                    tx.set(Key.utf8("z"), value);
                  });
              committed.set(n);
            }
          });
    }
    EmbeddedDatabase.restore(target, directory.resolve("restored"));
    try (EmbeddedDatabase restored = EmbeddedDatabase.open(directory.resolve("restored"))) {
      byte[] first = restored.read(tx -> tx.get(Key.utf8("a"))).orElseThrow();
      assertThat(restored.read(tx -> tx.get(Key.utf8("z"))).orElseThrow()).isEqualTo(first);
    }
  }

  @Test
  void onlyOperatorsMakeBackups() {
    try (DatabaseServer guarded =
        DatabaseServer.open(
            served,
            o ->
                o.withToken("r", Role.READ)
                    .withToken("w", Role.WRITE)
                    .withToken("o", Role.OPERATOR))) {
      for (String token : List.of("r", "w")) {
        try (RemoteDatabase client =
            RemoteDatabase.connect(guarded.uri(), o -> o.withToken(token))) {
          assertThatThrownBy(() -> client.backup(target))
              .isInstanceOf(UsageException.class)
              .hasMessageContaining("OPERATOR");
        }
        assertThat(target).doesNotExist();
      }
      try (RemoteDatabase client = RemoteDatabase.connect(guarded.uri(), o -> o.withToken("o"))) {
        client.backup(target);
      }
      assertThat(target.resolve("BACKUP")).exists();
    }
  }

  @Test
  void connectionThatIsCutLeavesNothingThatLooksWhole() {
    // The first connection brings the greeting and about half of the files.
    try (TcpProxy proxy = TcpProxy.to(server, () -> (long) ROWS * VALUE_BYTES / 2);
        RemoteDatabase client = RemoteDatabase.connect(proxy.uri())) {
      assertThatThrownBy(() -> client.backup(target))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("cut short");
    }
    assertThat(target).doesNotExist();
    eventually("no checkpoint is left", this::noCheckpointIsLeft);
    try (RemoteDatabase client = RemoteDatabase.connect(server.uri())) {
      client.backup(target); // The next one finds its place free.
    }
    assertThat(target.resolve("BACKUP")).exists();
  }

  @Test
  void secondBackupIsRefusedWhileOneRuns() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (RemoteDatabase client = RemoteDatabase.connect(server.uri());
        RemoteDatabase other = RemoteDatabase.connect(server.uri())) {
      together(
          () -> {
            client.backup(new Waiting(begun, goOn));
          },
          () -> {
            assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
            assertThatThrownBy(() -> other.backup(target))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("already");
            goOn.countDown();
          });
      eventually("no checkpoint is left", this::noCheckpointIsLeft);
    }
  }

  /** The client takes a file and then nothing: the server has to let go of its checkpoint. */
  @Test
  void clientThatDoesNotTakeItsBackupIsCutOff() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (DatabaseServer hasty =
            DatabaseServer.open(served, o -> o.withSlowClientTimeout(Duration.ofMillis(200)));
        RemoteDatabase client = RemoteDatabase.connect(hasty.uri())) {
      together(
          () -> {
            assertThatThrownBy(() -> client.backup(new Waiting(begun, goOn)))
                .isInstanceOf(DatabaseException.class);
          },
          () -> {
            assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
            eventually("no checkpoint is left", this::noCheckpointIsLeft);
            goOn.countDown();
          });
    }
  }

  @Test
  void serverThatClosesEndsItsBackup() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (RemoteDatabase client = RemoteDatabase.connect(server.uri())) {
      together(
          () -> {
            assertThatThrownBy(() -> client.backup(new Waiting(begun, goOn)))
                .isInstanceOf(UnavailableException.class);
          },
          () -> {
            assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
            server.close();
            served.close();
            goOn.countDown();
          });
    }
    assertNoCheckpointIsLeft();
  }

  @Test
  void storeInMemoryHasNoBackup() {
    try (EmbeddedDatabase memory = EmbeddedDatabase.inMemory();
        DatabaseServer ofMemory = DatabaseServer.open(memory);
        RemoteDatabase client = RemoteDatabase.connect(ofMemory.uri())) {
      assertThatThrownBy(() -> client.backup(target))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("in memory");
    }
    assertThat(target).doesNotExist();
  }

  @Test
  void gatewayPassesTheBackupOn() {
    try (RemoteDatabase behind = RemoteDatabase.connect(server.uri());
        DatabaseServer gateway = DatabaseServer.open(behind);
        RemoteDatabase client = RemoteDatabase.connect(gateway.uri())) {
      client.backup(target);
    }
    EmbeddedDatabase.restore(target, directory.resolve("restored"));
  }

  @Test
  void directoryThatHasSomethingIsRefusedAndKept() throws IOException {
    Files.createDirectories(target);
    Files.writeString(target.resolve("mine"), "mine");
    try (RemoteDatabase client = RemoteDatabase.connect(server.uri())) {
      assertThatThrownBy(() -> client.backup(target))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("empty");
    }
    assertThat(target.resolve("mine")).hasContent("mine");
  }

  private interface Step {
    void run() throws Exception;
  }

  /** Runs both at a time. */
  private static void together(Step first, Step second) throws Exception {
    FutureTask<Boolean> beside = new FutureTask<>(() -> run(first));
    Thread.startVirtualThread(beside);
    run(second);
    beside.get(1, TimeUnit.MINUTES);
  }

  private static boolean run(Step step) throws Exception {
    step.run();
    return true;
  }

  private void assertNoCheckpointIsLeft() {
    eventually("no checkpoint is left", this::noCheckpointIsLeft);
  }

  private boolean noCheckpointIsLeft() {
    try (Stream<Path> entries = Files.list(directory.resolve("store"))) {
      return entries.noneMatch(path -> path.getFileName().toString().startsWith("checkpoint"));
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }

  /** Waits at its first file, and then reads the rest. */
  private record Waiting(CountDownLatch begun, CountDownLatch goOn) implements BackupTarget {
    @Override
    public void begin(int files, long bytes) {}

    @Override
    public void file(String path, long bytes, InputStream content) throws IOException {
      begun.countDown();
      try {
        assertThat(goOn.await(2, TimeUnit.MINUTES)).isTrue();
      } catch (InterruptedException interrupt) {
        throw new IOException(interrupt);
      }
      content.transferTo(OutputStream.nullOutputStream());
    }
  }
}
