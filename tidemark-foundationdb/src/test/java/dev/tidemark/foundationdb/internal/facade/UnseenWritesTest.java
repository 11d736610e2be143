package dev.tidemark.foundationdb.internal.facade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.apple.foundationdb.FDBException;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Transaction;
import org.junit.jupiter.api.Test;

class UnseenWritesTest {
  private static final Key A = Key.utf8("a");
  private static final Key B = Key.utf8("b");

  @Test
  void writeThatComesAfterTheReplayIsRefusedAndNotLost() {
    UnseenWrites writes = new UnseenWrites();
    try (EmbeddedDatabase store = EmbeddedDatabase.inMemory();
        Transaction tx = store.begin()) {
      writes.add(2, writer -> writer.set(A, new byte[1]));
      writes.replay(tx);

      FDBException refused =
          catchThrowableOfType(
              FDBException.class, () -> writes.add(2, writer -> writer.set(B, new byte[1])));

      assertThat(refused.getCode()).isEqualTo(2017);
      assertThat(tx.scan(KeyRange.ALL).list()).hasSize(1);
    }
  }
}
