package dev.tidemark.partitions;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.tuple.Subspace;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;

/** The same with control rows that are not in the store of the ownership rows. */
class CrashPointElsewhereTest extends CrashPointTest {
  private static final EmbeddedDatabase ELSEWHERE = EmbeddedDatabase.inMemory();
  private static final AtomicInteger PLACES = new AtomicInteger();

  @Override
  Optional<RowStore> controlRows() {
    return Optional.of(RowStore.in(ELSEWHERE, Subspace.of("control", PLACES.incrementAndGet())));
  }

  @AfterAll
  static void close() {
    ELSEWHERE.close();
  }
}
