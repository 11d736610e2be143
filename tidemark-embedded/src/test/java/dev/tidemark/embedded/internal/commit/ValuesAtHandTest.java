package dev.tidemark.embedded.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.spi.BufferedTransaction;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads that never wait for the disk. */
class ValuesAtHandTest {
  private static final Key A = Key.utf8("a");
  private static final byte[] ONE = {1};

  @TempDir Path directory;

  private static boolean isAtHand(EmbeddedDatabase database, Key key) {
    try (BufferedTransaction tx = (BufferedTransaction) database.begin()) {
      return tx.getAtHand(key) != null;
    }
  }

  private static byte @Nullable [] atHand(EmbeddedDatabase database) {
    try (BufferedTransaction tx = (BufferedTransaction) database.begin()) {
      return Objects.requireNonNull(tx.getAtHand(A)).value();
    }
  }

  @Test
  void valueIsAtHandOnceItHasBeenReadFromTheDisk() {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory)) {
      database.run(
          tx -> {
            tx.set(A, ONE);
            // So that it is not in the block of what is read when a store is opened.
            for (int i = 0; i < 1_000; i++) {
              tx.set(Key.utf8("b" + i), new byte[1_000]);
            }
          });
    }
    try (EmbeddedDatabase again = EmbeddedDatabase.open(directory, o -> o.withRowCacheBytes(0))) {
      assertThat(isAtHand(again, A)).isFalse();
      again.read(tx -> tx.get(A));
      assertThat(atHand(again)).isEqualTo(ONE);
    }
  }

  @Test
  void valueThatWasJustWrittenIsAtHand() {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory)) {
      database.run(tx -> tx.set(A, ONE));
      assertThat(atHand(database)).isEqualTo(ONE);
    }
  }

  @Test
  void keyWithoutAValueIsToldApartFromOneThatIsNotAtHand() {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory)) {
      assertThat(atHand(database)).isNull();
    }
  }

  @Test
  void metadataVersionStaysAtHandOnceItHasBeenRead() {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory)) {
      assertThat(isAtHand(database, Key.METADATA_VERSION)).isFalse();
      database.read(tx -> tx.get(Key.METADATA_VERSION));
      assertThat(isAtHand(database, Key.METADATA_VERSION)).isTrue();
      database.run(tx -> tx.set(A, ONE));
      assertThat(isAtHand(database, Key.METADATA_VERSION)).isTrue();
    }
  }
}
