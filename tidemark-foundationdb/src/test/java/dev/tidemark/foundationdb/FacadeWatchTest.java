package dev.tidemark.foundationdb;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncUtil;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Limits;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Watches as futures. */
class FacadeWatchTest extends FacadeCase {
  private CompletableFuture<Void> watch(String key) {
    return db.run(tx -> tx.watch(bytes(key)));
  }

  @Test
  void watchFiresWhenTheValueChanges() throws Exception {
    put("a=1");
    CompletableFuture<Void> watch = watch("a");
    put("b=2");
    put("a=1");
    assertThat(watch).isNotDone();
    put("a=2");
    watch.get(30, TimeUnit.SECONDS);
  }

  @Test
  void manyWatchesFireAtOnce() throws Exception {
    List<CompletableFuture<Void>> watches =
        IntStream.range(0, 500).mapToObj(i -> watch("shared")).toList();
    put("shared=1");
    AsyncUtil.whenAll(watches).get(30, TimeUnit.SECONDS);
  }

  @Test
  void watchOfAnAbandonedTransactionFails() {
    CompletableFuture<Void> watch;
    try (Transaction tx = db.createTransaction()) {
      watch = tx.watch(bytes("a"));
    }
    assertThat(code(watch)).isEqualTo(1025);
  }

  @Test
  void cancelledWatchLeavesTheStore() {
    for (int i = 0; i < 12_000; i++) { // more than the store allows at a time
      CompletableFuture<Void> watch = watch("a");
      watch.cancel(true);
      assertThat(watch).isCancelled();
    }
  }

  @Test
  void watchThatIsGivenUpLeavesTheStore() {
    try (EmbeddedDatabase small =
        EmbeddedDatabase.inMemory(o -> o.withLimits(Limits.DEFAULTS.withWatches(1)))) {
      Database onSmall = FdbFacade.of(small);
      for (int i = 0; i < 3; i++) {
        CompletableFuture<Void> watch = onSmall.run(tx -> tx.watch(bytes("a")));
        assertThat(watch).isNotDone();
        watch.completeExceptionally(new TimeoutException("as orTimeout does"));
      }
    }
  }

  @Test
  void closedStoreEndsItsWatches() {
    CompletableFuture<Void> watch = watch("a");
    store.close();
    assertThat(code(watch)).isEqualTo(1025);
  }
}
