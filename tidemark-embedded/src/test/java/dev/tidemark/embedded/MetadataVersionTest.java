package dev.tidemark.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.MetadataVersion;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The metadata version is kept in memory; it must be as right as if it were read. */
class MetadataVersionTest {
  private static final byte[] STAMP_AT_START = new byte[14];

  @Test
  void everyTransactionSeesTheMetadataVersionOfItsReadVersion() {
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory();
        Transaction before = database.begin()) {
      assertThat(before.get(Key.METADATA_VERSION)).isEmpty();
      byte[] first = raise(database);
      database.run(tx -> tx.set(Key.utf8("other"), new byte[1]));
      byte[] unchanged = current(database).orElseThrow();
      byte[] second = raise(database);

      assertThat(before.get(Key.METADATA_VERSION)).isEmpty();
      assertThat(unchanged).isEqualTo(first);
      assertThat(second).isNotEqualTo(first);
      assertThat(current(database)).contains(second);
    }
  }

  @Test
  void whatATransactionHasSeenStaysAndIsNoConflict() {
    Key other = Key.utf8("other");
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory();
        Transaction tx = database.begin()) {
      assertThat(MetadataVersion.seenBy(tx)).isEqualTo(Key.EMPTY);
      byte[] raised = raise(database);
      assertThat(MetadataVersion.seenBy(tx.snapshot())).isEqualTo(Key.EMPTY);
      try (Transaction later = database.begin()) {
        assertThat(MetadataVersion.seenBy(later)).isEqualTo(Key.wrap(raised));
      }
      tx.set(other, new byte[1]);
      tx.commit();
      boolean isThere = database.read(now -> now.get(other).isPresent());
      assertThat(isThere).isTrue();
    }
  }

  @Test
  void whoChangesTheMetadataVersionSeesNone() {
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory();
        Transaction tx = database.begin()) {
      assertThat(MetadataVersion.seenBy(tx)).isEqualTo(Key.EMPTY);
      assertThat(MetadataVersion.changedBy(tx)).isFalse();
      MetadataVersion.change(tx);
      assertThat(MetadataVersion.seenBy(tx)).isNull();
      assertThat(MetadataVersion.seenBy(tx.snapshot())).isNull();
      assertThat(MetadataVersion.changedBy(tx)).isTrue();
    }
  }

  /**
   * Commits of one group follow each other in one write: a clear after the raise changes nothing.
   */
  @Test
  @Timeout(60)
  void raiseIsSeenWhateverElseItsGroupWrites() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory();
        ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (int round = 0; round < 200; round++) {
        byte[] before = current(database).orElse(new byte[0]);
        List<Future<?>> others = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
          KeyRange range = KeyRange.startingWith(Key.utf8("range" + i));
          others.add(threads.submit(() -> database.run(tx -> tx.clear(range))));
        }
        byte[] raised = threads.submit(() -> raise(database)).get();
        for (Future<?> other : others) {
          other.get();
        }
        assertThat(raised).isNotEqualTo(before);
        assertThat(current(database)).contains(raised);
      }
    }
  }

  private static byte[] raise(EmbeddedDatabase database) {
    database.run(
        tx ->
            tx.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, Key.METADATA_VERSION, STAMP_AT_START));
    return current(database).orElseThrow();
  }

  private static Optional<byte[]> current(EmbeddedDatabase database) {
    return database.read(tx -> tx.get(Key.METADATA_VERSION));
  }
}
