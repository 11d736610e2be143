package dev.tidemark.embedded.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.embedded.EmbeddedOptions;
import dev.tidemark.embedded.internal.files.DirectoryFormat;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.spi.PromptTransaction;
import dev.tidemark.kv.spi.StoreIdentity;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreIdentityTest {
  @TempDir private Path home;

  @Test
  void storeKeepsItsIdAndEachOpeningHasAnother() {
    StoreIdentity first = opened(home.resolve("a"));
    StoreIdentity again = opened(home.resolve("a"));
    assertThat(again.store()).isEqualTo(first.store());
    assertThat(again.opening()).isNotEqualTo(first.opening());
    assertThat(opened(home.resolve("b")).store()).isNotEqualTo(first.store());
  }

  @Test
  void storesInMemoryAreDifferentOnes() {
    try (EmbeddedDatabase one = EmbeddedDatabase.inMemory();
        EmbeddedDatabase other = EmbeddedDatabase.inMemory()) {
      assertThat(identity(one).store()).isNotEqualTo(identity(other).store());
    }
  }

  @Test
  void restoredBackupIsTheSameStore() {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(home.resolve("a"))) {
      database.backup(home.resolve("backup"));
      EmbeddedDatabase.restore(home.resolve("backup"), home.resolve("b"));
      assertThat(opened(home.resolve("b")).store()).isEqualTo(identity(database).store());
    }
  }

  @Test
  void storeOfAnEarlierBuildGetsAnIdAtItsNextOpening() {
    Path directory = home.resolve("a");
    Key key = Key.utf8("k");
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory)) {
      database.run(tx -> tx.set(key, new byte[] {1}));
    }
    try (RocksStorage storage =
        RocksStorage.open(
            directory.resolve(DirectoryFormat.DATA), false, EmbeddedOptions.DEFAULTS)) {
      BatchBuilder batch = new BatchBuilder(16);
      batch.delete(RocksStorage.STORE_KEY);
      storage.write(batch.toByteArray());
    }
    StoreIdentity given = opened(directory);
    assertThat(opened(directory).store()).isEqualTo(given.store());
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory)) {
      List<KeyValue> rows = database.read(tx -> tx.scan(KeyRange.ALL).list());
      assertThat(rows).hasSize(1);
    }
  }

  private static StoreIdentity opened(Path directory) {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory)) {
      return identity(database);
    }
  }

  private static StoreIdentity identity(EmbeddedDatabase database) {
    try (Transaction tx = database.begin()) {
      return Objects.requireNonNull(((PromptTransaction) tx).identity());
    }
  }
}
