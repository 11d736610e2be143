package dev.tidemark.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class RowStoreTest extends RowStoreContract {
  private static final Tuple ROW = Tuple.of("jobs");

  private static final EmbeddedDatabase DATABASE = EmbeddedDatabase.inMemory();
  private static final AtomicInteger PLACES = new AtomicInteger();

  @Override
  protected RowStore open() {
    return RowStore.in(DATABASE, Subspace.of("pool", PLACES.incrementAndGet()));
  }

  @AfterAll
  static void closeDatabase() {
    DATABASE.close();
  }

  @Test
  void rowsOfATransactionAppearWithItsCommit() {
    try (RowStore store = open()) {
      try (Transaction tx = DATABASE.begin()) {
        store.in(tx).set(ROW, new byte[] {1});
        assertThat(isThere(store)).isFalse();
        tx.commit();
      }

      assertThat(isThere(store)).isTrue();
    }
  }

  private static boolean isThere(RowStore store) {
    return store.read(rows -> rows.get(ROW).isPresent());
  }
}
