package dev.tidemark.foundationdb;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.Transaction;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.testkit.junit.DatabaseExtension;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The extension fails a test that leaves a transaction of ours open. */
@Timeout(60)
class FacadeLeakTest {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  private static final byte[] KEY = {1};

  /** Fails twice, and then writes. */
  private static void work(Transaction tx, AtomicInteger attempts) {
    tx.get(KEY).join();
    if (attempts.incrementAndGet() <= 2) {
      throw new FDBException("a conflict for the test", 1020);
    }
    tx.set(KEY, KEY);
  }

  @Test
  void loopClosesEachAttempt(Database store) {
    AtomicInteger attempts = new AtomicInteger();
    FdbFacade.of(store)
        .run(
            tx -> {
              work(tx, attempts);
              return true;
            });
    assertThat(attempts).hasValue(3);
  }

  @Test
  void asynchronousLoopClosesEachAttempt(Database store) {
    AtomicInteger attempts = new AtomicInteger();
    FdbFacade.of(store)
        .runAsync(
            tx -> {
              work(tx, attempts);
              return CompletableFuture.completedFuture(true);
            })
        .join();
    assertThat(attempts).hasValue(3);
  }

  @Test
  void loopThatFailsClosesItsTransaction(Database store) {
    CompletableFuture<Boolean> failed =
        FdbFacade.of(store)
            .runAsync(
                tx -> {
                  tx.get(KEY).join();
                  throw new AssertionError("for the test");
                });
    assertThat(failed)
        .failsWithin(Duration.ofSeconds(30))
        .withThrowableThat()
        .havingRootCause()
        .withMessage("for the test");
  }

  @Test
  void secondTransactionIsClosedWithItsFirst(Database store) {
    try (Transaction tx = FdbFacade.of(store).createTransaction()) {
      tx.options().setSnapshotRywDisable();
      tx.set(KEY, KEY);
      assertThat(tx.snapshot().get(KEY).join()).isNull();
    }
  }

  @Test
  void commitOnItsWayOutlivesTheCloseOfItsTransaction(Database store) {
    com.apple.foundationdb.Database db = FdbFacade.of(store);
    for (int i = 0; i < 200; i++) {
      Transaction tx = db.createTransaction();
      tx.set(KEY, new byte[] {(byte) i});
      CompletableFuture<Void> commit = tx.commit();
      tx.close();
      tx.close();
      commit.join();
    }
    byte[] last = db.read(reads -> reads.get(KEY).join());
    assertThat(last).containsExactly(199);
  }
}
