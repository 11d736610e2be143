package dev.tidemark.embedded.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.embedded.internal.files.DirectoryFormat;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.kv.spi.BufferedTransaction;
import dev.tidemark.kv.spi.IdentifiedCommit;
import dev.tidemark.kv.spi.commit.CommitId;
import dev.tidemark.kv.spi.commit.CommitId.Fate;
import dev.tidemark.testkit.Eventually;
import dev.tidemark.testkit.ManualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What is told of commits whose write failed. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class FailedWritesTest {
  private static final Key A = Key.utf8("a");
  private static final byte[] LARGE = new byte[90_000];

  @TempDir Path directory;

  private static BufferedTransaction begin(Database database) {
    return (BufferedTransaction) database.begin();
  }

  private static IdentifiedCommit prepare(BufferedTransaction tx, Database database) {
    tx.set(A, LARGE);
    return IdentifiedCommit.attach(tx, database, CommitId.next());
  }

  private static Fate fate(IdentifiedCommit commit, Database database) {
    try (BufferedTransaction tx = begin(database)) {
      return commit.settle(tx, database);
    }
  }

  private static StorageException doubt(IdentifiedCommit commit, Database database) {
    return catchThrowableOfType(StorageException.class, () -> fate(commit, database));
  }

  /** Commits until it fails, and returns the commit that did. */
  private static IdentifiedCommit commitUntilItFails(Database database) {
    for (int i = 0; i < 1_000; i++) {
      try (BufferedTransaction tx = begin(database)) {
        IdentifiedCommit commit = prepare(tx, database);
        try {
          tx.commit();
        } catch (StorageException failure) {
          assertThat(failure.kind()).isEqualTo(StorageException.Kind.DISK_FULL);
          assertThat(failure.maybeCommitted()).isTrue();
          return commit;
        }
      }
    }
    throw new AssertionError("No commit has failed");
  }

  private static IdentifiedCommit commitOnceThereIsSpace(Database database) {
    IdentifiedCommit[] done = new IdentifiedCommit[1];
    Eventually.eventually(
        "a commit",
        () -> {
          try (BufferedTransaction tx = begin(database)) {
            IdentifiedCommit commit = prepare(tx, database);
            tx.commit();
            done[0] = commit;
            return true;
          } catch (StorageException stillFull) {
            return false;
          }
        });
    return done[0];
  }

  /** Puts the logs that RocksDB begins from now on where there is never any space. */
  private static List<Path> fillDisk(Path data) throws IOException {
    long last;
    try (Stream<Path> files = Files.list(data)) {
      last =
          files
              .map(file -> file.getFileName().toString().replaceAll("\\D", ""))
              .filter(digits -> !digits.isEmpty())
              .mapToLong(Long::parseLong)
              .max()
              .orElse(0);
    }
    List<Path> logs = new ArrayList<>();
    for (long number = last + 1; number <= last + 50; number++) {
      Path log = data.resolve("%06d.log".formatted(number));
      logs.add(Files.createSymbolicLink(log, Path.of("/dev/full")));
    }
    return logs;
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void commitThatMetAFullDiskIsInDoubtUntilTheStoreIsOpenedAgain() throws IOException {
    IdentifiedCommit failed;
    try (EmbeddedDatabase database =
            EmbeddedDatabase.open(directory, o -> o.withWriteBufferBytes(1 << 20));
        BufferedTransaction before = begin(database)) {
      IdentifiedCommit early = prepare(before, database);
      List<Path> full = fillDisk(directory.resolve(DirectoryFormat.DATA));
      failed = commitUntilItFails(database);
      assertThat(doubt(failed, database).maybeCommitted()).isTrue();
      assertThat(doubt(failed, database).kind()).isEqualTo(StorageException.Kind.DISK_FULL);
      for (Path log : full) {
        Files.deleteIfExists(log);
      }
      IdentifiedCommit next = commitOnceThereIsSpace(database);
      assertThat(fate(next, database)).isEqualTo(Fate.COMMITTED);
      try (BufferedTransaction never = begin(database)) {
        assertThat(fate(prepare(never, database), database)).isEqualTo(Fate.NOT_COMMITTED);
      }
      assertThat(doubt(failed, database).maybeCommitted()).isTrue();
      assertThat(doubt(early, database).maybeCommitted()).isTrue();
    }
    try (EmbeddedDatabase again = EmbeddedDatabase.open(directory)) {
      assertThat(fate(failed, again)).isEqualTo(Fate.NOT_COMMITTED);
    }
  }

  /** A clock that fails once when it is asked by whoever publishes a version. */
  private static final class FailingClock implements TimeSource {
    final AtomicBoolean fails = new AtomicBoolean();
    private final TimeSource time;

    FailingClock(TimeSource time) {
      this.time = time;
    }

    @Override
    public long wallMicros() {
      return time.wallMicros();
    }

    @Override
    public long nanos() {
      boolean publishing =
          StackWalker.getInstance()
              .walk(frames -> frames.anyMatch(each -> each.getMethodName().equals("publish")));
      if (publishing && fails.compareAndSet(true, false)) {
        throw new IllegalStateException("thrown by a test");
      }
      return time.nanos();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      time.sleep(duration);
    }
  }

  @Test
  void rowOfAGroupThatFailedTellsNothingUntilALaterGroupIsOnTheDisk() {
    FailingClock clock = new FailingClock(TimeSource.system());
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory(o -> o.withTime(clock));
        BufferedTransaction tx = begin(database)) {
      IdentifiedCommit commit = prepare(tx, database);
      clock.fails.set(true);
      StorageException failure = catchThrowableOfType(StorageException.class, tx::commit);
      assertThat(failure.maybeCommitted()).isTrue();
      assertThat(doubt(commit, database).maybeCommitted()).isTrue();
      database.run(later -> later.set(A, LARGE));
      assertThat(fate(commit, database)).isEqualTo(Fate.COMMITTED);
    }
  }

  @Test
  void writesOfGroupsThatFailedAreForgottenLikeOthers() {
    ManualTime time = ManualTime.standing();
    FailingClock clock = new FailingClock(time);
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory(o -> o.withTime(clock));
        BufferedTransaction late = begin(database)) {
      late.setReadVersion(database.<Long, RuntimeException>read(tx -> tx.readVersion()));
      for (int i = 0; i < 20; i++) {
        time.advance(Duration.ofSeconds(1));
        clock.fails.set(true);
        assertThatThrownBy(() -> database.run(tx -> tx.set(A, LARGE)))
            .isInstanceOf(StorageException.class);
      }
      late.addReadConflict(Key.utf8("b"));
      late.set(A, LARGE);
      assertThatThrownBy(late::commit).isInstanceOf(TransactionTooOldException.class);
    }
  }
}
