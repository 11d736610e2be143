package dev.tidemark.embedded.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.spi.PromptTransaction;
import dev.tidemark.kv.spi.commit.Commit;
import dev.tidemark.kv.spi.commit.CommitListener;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commits that no thread waits for. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class CommitLaterTest {
  private static final int COMMITS = 10;
  private static final Key A = Key.utf8("a");

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();
  private final BlockingQueue<Object> told = new LinkedBlockingQueue<>();

  private final CommitListener listener =
      new CommitListener() {
        @Override
        public void committed(Commit.Position position) {
          told.add(position);
        }

        @Override
        public void failed(Supplier<? extends DatabaseException> why) {
          told.add(why.get());
        }

        @Override
        public void allTold() {
          told.add("all");
        }
      };

  @AfterEach
  void close() {
    database.close();
  }

  private PromptTransaction begin() {
    return (PromptTransaction) database.begin();
  }

  private Optional<byte[]> value(String key) {
    return database.read(tx -> tx.get(Key.utf8(key)));
  }

  private static byte[] one() {
    return new byte[] {1};
  }

  @Test
  void commitsAreCarriedOutInTheOrderInWhichTheyWerePutInLine() throws Exception {
    Runnable start = () -> {};
    for (int i = 0; i < COMMITS; i++) {
      PromptTransaction tx = begin();
      tx.set(Key.utf8("k" + i), one());
      start = tx.commitLater(listener);
      tx.close();
    }
    start.run();
    // The committer may have been awake and begun by itself; so these may be several groups.
    List<Commit.Position> positions = new ArrayList<>();
    for (int i = 0; i < 2 * COMMITS; i++) {
      if (told.take() instanceof Commit.Position position) {
        positions.add(position);
      }
    }
    assertThat(positions)
        .hasSize(COMMITS)
        .doesNotHaveDuplicates()
        .isSortedAccordingTo(
            Comparator.comparingLong(Commit.Position::version)
                .thenComparingInt(Commit.Position::batch));
    for (int i = 0; i < COMMITS; i++) {
      assertThat(value("k" + i)).contains(one());
    }
  }

  @Test
  void commitsThatAGroupLeavesToTheNextNeedNoOtherWakeUp() throws Exception {
    for (int round = 0; round < 300; round++) {
      // Never the same number twice, so that half of those about is less than all.
      int clients = 40 + 20 * (round % 3);
      Runnable start = () -> {};
      for (int i = 0; i < clients; i++) {
        try (PromptTransaction tx = begin()) {
          tx.set(Key.utf8("k" + i), one());
          start = tx.commitLater(listener);
        }
      }
      start.run();
      int ended = 0;
      while (ended < clients) {
        if (told.take() instanceof Commit.Position) {
          ended++;
        }
      }
    }
    assertThat(database.statistics().openTransactions()).isZero();
  }

  @Test
  void conflictIsToldAndWritesNothing() throws Exception {
    try (PromptTransaction tx = begin()) {
      tx.get(A);
      tx.set(Key.utf8("b"), one());
      database.run(other -> other.set(A, one()));
      tx.commitLater(listener).run();
      assertThat(told.take()).isInstanceOf(ConflictException.class);
      assertThat(value("b")).isEmpty();
      assertThatThrownBy(() -> tx.set(A, one())).isInstanceOf(TransactionClosedException.class);
    }
  }

  @Test
  void transactionThatWritesNothingOrWatchesIsRefused() {
    try (PromptTransaction nothing = begin();
        PromptTransaction watching = begin()) {
      assertThatThrownBy(() -> nothing.commitLater(listener)).isInstanceOf(UsageException.class);
      watching.watch(A);
      watching.set(A, one());
      assertThatThrownBy(() -> watching.commitLater(listener)).isInstanceOf(UsageException.class);
    }
    assertThat(told).isEmpty();
    assertThat(database.statistics().openTransactions()).isZero();
  }

  @Test
  void commitInLineWhenTheDatabaseClosesIsToldOfIt() throws Exception {
    try (PromptTransaction tx = begin()) {
      tx.set(A, one());
      tx.commitLater(listener);
      database.close();
      Object end = told.take();
      assertThat(end).isInstanceOfAny(Commit.Position.class, TransactionClosedException.class);
    }
  }

  @Test
  void listenerThatThrowsKeepsNobodyElseFromBeingTold() throws Exception {
    CommitListener broken =
        new CommitListener() {
          @Override
          public void committed(Commit.Position position) {
            throw new IllegalStateException("thrown by a test");
          }

          @Override
          public void failed(Supplier<? extends DatabaseException> why) {
            throw new IllegalStateException("thrown by a test", why.get());
          }

          @Override
          public void allTold() {
            throw new IllegalStateException("thrown by a test");
          }
        };
    try (PromptTransaction first = begin();
        PromptTransaction second = begin()) {
      first.set(A, one());
      second.set(Key.utf8("b"), one());
      first.commitLater(broken);
      second.commitLater(listener).run();
      assertThat(told.take()).isInstanceOf(Commit.Position.class);
      assertThat(told.take()).isEqualTo("all");
    }
    assertThat(value("a")).contains(one());
  }
}
