package dev.tidemark.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.CommitUnknownException;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.kv.Watch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Another store comes to stand behind the address of a server, or the same one again. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class OtherStoreTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Key A = Key.utf8("a");
  private static final Key B = Key.utf8("b");

  @TempDir private Path home;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void close() {
    threads.shutdownNow();
  }

  @Test
  void whatWasReadInOneStoreIsNotCommittedToAnother() {
    try (EmbeddedDatabase one = EmbeddedDatabase.inMemory();
        EmbeddedDatabase other = EmbeddedDatabase.inMemory()) {
      DatabaseServer server = DatabaseServer.open(one);
      try (RemoteDatabase client = RemoteDatabase.connect(server.uri());
          Transaction tx = client.begin()) {
        // Versions before and after, so that the one that is read is one of the other store too.
        one.run(early -> early.set(B, new byte[1]));
        tx.get(A);
        tx.readVersion();
        server = instead(server, other);
        other.run(late -> late.set(B, new byte[1]));
        client.read(late -> late.get(A));
        tx.set(A, new byte[1]);
        assertThatThrownBy(tx::commit).isInstanceOf(TransactionTooOldException.class);
        assertThat(isStored(other)).isFalse();
        client.run(late -> late.set(A, new byte[1]));
        assertThat(isStored(other)).isTrue();
      } finally {
        server.close();
      }
    }
  }

  @Test
  void storeThatACommitWasNotSentToDoesNotTellItsFate() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    EmbeddedDatabase other = EmbeddedDatabase.inMemory();
    try (EmbeddedDatabase one = EmbeddedDatabase.inMemory()) {
      assertThatThrownBy(() -> commitAndLoseTheReply(one, () -> other, runs))
          .hasCauseInstanceOf(CommitUnknownException.class);
    }
    assertThat(runs).hasValue(1);
  }

  @Test
  void storeThatWasOpenedAgainTellsTheFateOfACommit() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    Path directory = home.resolve("store");
    EmbeddedDatabase before = EmbeddedDatabase.open(directory);
    try {
      Supplier<EmbeddedDatabase> again =
          () -> {
            before.close();
            return EmbeddedDatabase.open(directory);
          };
      commitAndLoseTheReply(before, again, runs);
    } finally {
      before.close();
    }
    assertThat(runs).hasValue(1);
  }

  /** Has a client commit to {@code one}, and find out what became of that from what comes next. */
  private void commitAndLoseTheReply(
      EmbeddedDatabase one, Supplier<EmbeddedDatabase> next, AtomicInteger runs) throws Exception {
    DatabaseServer server = DatabaseServer.open(one, o -> o.withDrainTimeout(Duration.ofMillis(1)));
    int port = server.port();
    try (TcpProxy wire = TcpProxy.to(server);
        RemoteDatabase client = RemoteDatabase.connect(wire.uri());
        Watch changed = one.transact(tx -> tx.watch(A))) {
      Future<?> commit =
          threads.submit(
              () ->
                  client.run(
                      tx -> {
                        runs.incrementAndGet();
                        tx.readVersion();
                        wire.swallowReplies(true);
                        tx.set(A, new byte[1]);
                      }));
      assertThat(changed.await(PATIENCE)).isTrue();
      server.close();
      wire.swallowReplies(false);
      try (EmbeddedDatabase database = next.get();
          DatabaseServer after = DatabaseServer.open(database, o -> o.withPort(port))) {
        commit.get(20, TimeUnit.SECONDS);
        assertThat(after.statistics().commitsSettled()).isEqualTo(1);
      }
    } finally {
      server.close();
    }
  }

  private static boolean isStored(Database database) {
    return database.read(tx -> tx.get(A)).isPresent();
  }

  private static DatabaseServer instead(DatabaseServer server, Database database) {
    int port = server.port();
    server.close();
    return DatabaseServer.open(database, o -> o.withPort(port));
  }
}
