package dev.tidemark.foundationdb;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncIterator;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Limits;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What options change, which are ignored, and which are refused. */
class FacadeOptionsTest extends FacadeCase {
  @Test
  void ownWritesCanBeHiddenFromReads() {
    put("a=1");
    try (Transaction tx = db.createTransaction()) {
      tx.options().setReadYourWritesDisable();
      tx.set(bytes("a"), bytes("2"));
      tx.mutate(MutationType.ADD, bytes("n"), new byte[] {1});
      assertThat(tx.get(bytes("a")).join()).isEqualTo(bytes("1"));
      assertThat(tx.snapshot().get(bytes("a")).join()).isEqualTo(bytes("1"));
      assertThat(tx.getRange(bytes("a"), bytes("z")).asList().join()).hasSize(1);
      assertThat(tx.getApproximateSize().join()).isPositive();
      assertThat(code(tx.watch(bytes("a")))).isEqualTo(1034);
      tx.commit().join();
    }
    assertThat(stored("a")).isEqualTo(bytes("2"));
    assertThat(stored("n")).containsExactly(1);
  }

  @Test
  void hiddenWritesThatAreRefusedFailTheNextReadAndTheCommit() {
    byte[] system = {(byte) 0xff, 1};
    byte[] tooLong = new byte[10_001];
    assertRefusedLater(2004, tx -> tx.set(system, bytes("1")));
    assertRefusedLater(2004, tx -> tx.clear(system));
    assertRefusedLater(2004, tx -> tx.clear(bytes("a"), system));
    assertRefusedLater(2004, tx -> tx.addWriteConflictKey(system));
    assertRefusedLater(2004, tx -> tx.addWriteConflictRange(bytes("a"), system));
    assertRefusedLater(2004, tx -> tx.mutate(MutationType.ADD, system, new byte[1]));
    assertRefusedLater(2102, tx -> tx.set(tooLong, bytes("1")));
    assertRefusedLater(2103, tx -> tx.set(bytes("a"), new byte[100_001]));
    assertRefusedLater(
        2000, tx -> tx.mutate(MutationType.SET_VERSIONSTAMPED_KEY, new byte[13], bytes("1")));
    try (Transaction tx = db.createTransaction()) {
      tx.options().setReadYourWritesDisable();
      tx.clear(tooLong);
      tx.set(bytes("b"), bytes("1"));
      tx.commit().join();
    }
    assertThat(stored("b")).isEqualTo(bytes("1"));
  }

  private void assertRefusedLater(int code, Consumer<Transaction> write) {
    try (Transaction tx = db.createTransaction()) {
      tx.options().setReadYourWritesDisable();
      tx.set(bytes("b"), bytes("never"));
      write.accept(tx);
      assertThat(code(tx.get(bytes("a")))).isEqualTo(code);
      assertThat(code(tx.commit())).isEqualTo(code);
    }
    assertThat(stored("b")).isNull();
  }

  @Test
  void ownWritesCannotBeHiddenAfterARead() {
    List<Consumer<Transaction>> reads =
        List.of(
            tx -> tx.get(bytes("a")).join(),
            tx -> tx.snapshot().get(bytes("a")).join(),
            tx -> tx.getRange(bytes("a"), bytes("b")).asList().join());
    for (Consumer<Transaction> read : reads) {
      try (Transaction tx = db.createTransaction()) {
        read.accept(tx);
        assertThat(code(() -> tx.options().setReadYourWritesDisable())).isEqualTo(2000);
      }
    }
    try (Transaction tx = db.createTransaction()) {
      assertThat(tx.snapshot().getReadVersion().join()).isEqualTo(tx.getReadVersion().join());
      tx.options().setReadYourWritesDisable();
    }
  }

  @Test
  void readsThatDoNotSeeOwnWritesStillConflict() {
    put("a=1");
    try (Transaction tx = db.createTransaction()) {
      tx.options().setReadYourWritesDisable();
      tx.set(bytes("a"), bytes("2"));
      tx.get(bytes("a")).join();
      put("a=3");
      assertThat(code(tx.commit())).isEqualTo(1020);
    }
  }

  @Test
  void ownWritesCanBeHiddenFromSnapshotReadsAlone() {
    put("a=1");
    try (Transaction tx = db.createTransaction()) {
      tx.options().setSnapshotRywDisable();
      tx.set(bytes("a"), bytes("2"));
      put("b=later");
      assertThat(tx.snapshot().get(bytes("a")).join()).isEqualTo(bytes("1"));
      assertThat(tx.get(bytes("a")).join()).isEqualTo(bytes("2"));
      tx.options().setSnapshotRywEnable();
      assertThat(tx.snapshot().get(bytes("a")).join()).isEqualTo(bytes("2"));
      tx.commit().join();
    }
  }

  @Test
  void iterationThatBeganBeforeTheFirstWriteDoesNotMeetItEither() {
    String old = "old".repeat(500); // so that the rows take several portions
    put(
        IntStream.range(0, 500)
            .mapToObj("row%03d="::formatted)
            .map(row -> row + old)
            .toArray(String[]::new));
    try (Transaction tx = db.createTransaction()) {
      tx.options().setSnapshotRywDisable();
      AsyncIterator<KeyValue> rows = tx.snapshot().getRange(bytes("row"), bytes("rox")).iterator();
      int met = 0;
      while (rows.hasNext()) {
        assertThat(rows.next().getValue()).isEqualTo(bytes(old));
        tx.set(bytes("row%03d+".formatted(met)), bytes("new"));
        tx.set(bytes("row499"), bytes("new"));
        met++;
      }
      assertThat(met).isEqualTo(500);
    }
  }

  @Test
  void snapshotWithoutOwnWritesKeepsTheVersionAlsoAfterAFailure() {
    put("a=1");
    AtomicInteger asked = new AtomicInteger();
    Database client =
        InterceptedClient.of(
            db,
            "getReadVersion",
            (real, arguments) ->
                asked.getAndIncrement() == 0
                    ? CompletableFuture.failedFuture(new FDBException("As injected", 1037))
                    : real.getReadVersion());
    try (FoundationDb far =
            FoundationDb.over(
                client, FoundationDbOptions.DEFAULTS.withoutSamples(), Limits.DEFAULTS);
        Transaction tx = FdbFacade.of(far).createTransaction()) {
      tx.options().setSnapshotRywDisable();
      assertThat(tx.get(bytes("a")).join()).isEqualTo(bytes("1"));
      tx.set(bytes("b"), bytes("2"));
      assertThat(code(tx.snapshot().get(bytes("a")))).isEqualTo(1037);
      put("a=3");
      assertThat(tx.snapshot().get(bytes("a")).join()).isEqualTo(bytes("1"));
    }
  }

  @Test
  void optionsOfTheDatabaseHoldForItsTransactions() {
    put("a=1");
    db.options().setSnapshotRywDisable();
    db.options().setTransactionSizeLimit(100);
    try (Transaction tx = db.createTransaction()) {
      tx.set(bytes("a"), bytes("2"));
      assertThat(tx.snapshot().get(bytes("a")).join()).isEqualTo(bytes("1"));
      tx.set(bytes("b"), new byte[200]);
      assertThat(code(tx.commit())).isEqualTo(2101);
    }
    db.options().setSnapshotRywEnable();
    try (Transaction tx = db.createTransaction()) {
      tx.options().setSizeLimit(1_000);
      tx.set(bytes("b"), new byte[200]);
      assertThat(tx.snapshot().get(bytes("b")).join()).hasSize(200);
      tx.commit().join();
    }
    assertThat(stored("b")).hasSize(200);
  }

  @Test
  void nextWriteCanBeWithoutConflict() {
    try (Transaction reader = db.createTransaction();
        Transaction writer = db.createTransaction()) {
      reader.get(bytes("a")).join();
      reader.set(bytes("x"), bytes("1"));
      writer.options().setNextWriteNoWriteConflictRange();
      writer.set(bytes("a"), bytes("1"));
      writer.commit().join();
      reader.commit().join();
    }
    assertThat(stored("x")).isNotNull();
  }

  @Test
  void ownWritesCanStillBeHiddenBeforeAWriteWithoutConflict() {
    put("a=1");
    try (Transaction reader = db.createTransaction();
        Transaction writer = db.createTransaction()) {
      reader.get(bytes("a")).join();
      reader.set(bytes("x"), bytes("1"));
      writer.options().setNextWriteNoWriteConflictRange();
      writer.options().setReadYourWritesDisable();
      writer.set(bytes("a"), bytes("2"));
      assertThat(writer.get(bytes("a")).join()).isEqualTo(bytes("1"));
      writer.commit().join();
      reader.commit().join();
    }
    assertThat(stored("a")).isEqualTo(bytes("2"));
  }

  @Test
  void sizeLimitIsOneThatAClusterTakes() {
    try (Transaction tx = db.createTransaction()) {
      tx.options().setSizeLimit(32);
      tx.options().setSizeLimit(10_000_000);
      for (long refused : new long[] {-1, 0, 31, 10_000_001}) {
        assertThat(code(() -> tx.options().setSizeLimit(refused))).isEqualTo(2006);
        assertThat(code(() -> db.options().setTransactionSizeLimit(refused))).isEqualTo(2006);
      }
    }
  }

  @Test
  void sizeLimitHoldsAtCommit() {
    try (Transaction tx = db.createTransaction()) {
      tx.options().setSizeLimit(100);
      tx.set(bytes("a"), new byte[200]);
      assertThat(code(tx.commit())).isEqualTo(2101);
    }
    assertThat(stored("a")).isNull();
  }

  @Test
  void readVersionCanBeSet() {
    put("a=1");
    try (Transaction first = db.createTransaction();
        Transaction second = db.createTransaction()) {
      second.setReadVersion(first.getReadVersion().join());
      put("a=2");
      assertThat(second.get(bytes("a")).join()).isEqualTo(bytes("1"));
    }
  }

  @Test
  void replacedReadVersionThatNobodyHoldsIsTooOld() {
    put("a=1");
    long version = db.read(tx -> tx.getReadVersion().join());
    put("a=2");
    try (Transaction tx = db.createTransaction()) {
      tx.setReadVersion(version);
      assertThat(code(tx.get(bytes("a")))).isEqualTo(1007);
    }
  }

  @Test
  void metadataVersionIsReadAndChanged() {
    byte[] key = Key.METADATA_VERSION.toByteArray();
    try (Transaction tx = db.createTransaction()) {
      tx.options().setAccessSystemKeys();
      assertThat(tx.get(key).join()).isNull();
      tx.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, key, new byte[14]);
      tx.commit().join();
    }
    byte[] changed = db.read(tx -> tx.get(key).join());
    assertThat(changed).hasSize(10);
  }

  @Test
  void optionsThatWouldChangeResultsAreRefused() {
    try (Transaction tx = db.createTransaction()) {
      assertThat(code(() -> tx.options().setBypassUnreadable())).isEqualTo(2007);
      assertThat(code(() -> tx.options().setInitializeNewDatabase())).isEqualTo(2007);
      assertThat(code(() -> tx.options().getOptionConsumer().setOption(31_415, null)))
          .isEqualTo(2007);
      assertThat(code(() -> tx.options().setTimeout(-1))).isEqualTo(2006);
      assertThat(code(() -> tx.options().setMaxRetryDelay(1L << 40))).isEqualTo(2006);
      tx.set(bytes("a"), bytes("1"));
      assertThat(code(() -> tx.options().setReadYourWritesDisable())).isEqualTo(2000);
    }
    assertThat(code(() -> db.options().setUseConfigDatabase())).isEqualTo(2007);
  }

  @Test
  void whatOnlyAClusterHasIsRefusedClearly() {
    assertThat(code(() -> db.openTenant(bytes("t")))).isEqualTo(2136);
    assertThat(code(db.blobbifyRange(bytes("a"), bytes("b")))).isEqualTo(2108);
    assertThat(code(db.getClientStatus())).isEqualTo(2108);
    try (Transaction tx = db.createTransaction()) {
      assertThat(code(tx.getBlobGranuleRanges(bytes("a"), bytes("b"), 1))).isEqualTo(2108);
    }
  }
}
