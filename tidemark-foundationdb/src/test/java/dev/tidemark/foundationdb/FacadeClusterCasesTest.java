package dev.tidemark.foundationdb;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncUtil;
import dev.tidemark.kv.Key;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Cases that were tried on a FoundationDB 7.3 cluster with plain fdb-java, and its answers. */
class FacadeClusterCasesTest extends FacadeCase {
  private static final byte[] SYSTEM = {(byte) 0xff, 1};

  /** A key or value of {@code size} bytes, which the offset of its stamp is among. */
  private static byte[] stamped(int size) {
    byte[] bytes = new byte[size];
    bytes[0] = 'l';
    bytes[size - 4] = 1;
    return bytes;
  }

  // ---- errors that come later

  static Stream<Arguments> refusedCalls() {
    return Stream.<Object[]>of(
            call(2004, tx -> tx.set(SYSTEM, bytes("1"))),
            call(2004, tx -> tx.addReadConflictKey(SYSTEM)),
            call(2102, tx -> tx.set(new byte[10_001], bytes("1"))),
            call(2103, tx -> tx.set(bytes("a"), new byte[100_001])),
            call(
                2102,
                tx -> tx.mutate(MutationType.SET_VERSIONSTAMPED_KEY, stamped(10_001), bytes("1"))),
            call(
                2103,
                tx ->
                    tx.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, bytes("a"), stamped(100_001))),
            call(2005, tx -> tx.clear(bytes("b"), bytes("a"))),
            call(2005, tx -> tx.addWriteConflictRange(bytes("b"), bytes("a"))),
            call(
                2010,
                tx -> {
                  tx.setReadVersion(1_000);
                  tx.setReadVersion(1_000);
                }),
            call(2113, tx -> tx.clear(new byte[] {(byte) 0xff, (byte) 0xff, '/'})))
        .map(Arguments::of);
  }

  private static Object[] call(int code, Consumer<Transaction> call) {
    return new Object[] {code, call};
  }

  @ParameterizedTest
  @MethodSource("refusedCalls")
  void callWithoutAnAnswerFailsTheNextReadAndTheCommit(int code, Consumer<Transaction> call) {
    try (Transaction tx = db.createTransaction()) {
      tx.set(bytes("b"), bytes("never"));
      call.accept(tx);
      tx.set(bytes("c"), bytes("never"));
      assertThat(code(tx.get(bytes("a")))).isEqualTo(code);
      assertThat(code(tx.getRange(bytes("a"), bytes("b")).asList())).isEqualTo(code);
      assertThat(code(tx.commit())).isEqualTo(code);
    }
    assertThat(stored("b")).isNull();
  }

  @Test
  void writesAfterTheEndDoNotThrowAndDoNothing() {
    try (Transaction tx = db.createTransaction()) {
      tx.set(bytes("a"), bytes("1"));
      tx.commit().join();
      tx.set(bytes("a"), bytes("2"));
      assertThat(code(tx.get(bytes("a")))).isEqualTo(2017);
    }
    try (Transaction tx = db.createTransaction()) {
      tx.cancel();
      tx.clear(bytes("a"));
      assertThat(code(tx.commit())).isEqualTo(1025);
    }
    assertThat(stored("a")).isEqualTo(bytes("1"));
  }

  @Test
  void readOfAnIllegalKeyLeavesTheCommitBe() {
    try (Transaction tx = db.createTransaction()) {
      tx.set(bytes("a"), bytes("1"));
      assertThat(code(tx.get(SYSTEM))).isEqualTo(2004);
      tx.commit().join();
    }
    assertThat(stored("a")).isEqualTo(bytes("1"));
  }

  // ---- reads that fail

  @Test
  void readOfAStampedKeyFailsTheCommit() {
    byte[] metadata = Key.METADATA_VERSION.toByteArray();
    List<Function<Transaction, CompletableFuture<?>>> reads =
        List.of(
            tx -> tx.get(bytes("a")),
            tx -> tx.snapshot().get(bytes("a")),
            tx -> tx.getRange(bytes("a"), bytes("b")).asList(),
            tx -> tx.getKey(KeySelector.firstGreaterOrEqual(bytes("a"))),
            tx -> {
              tx.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, metadata, new byte[14]);
              return tx.get(metadata);
            });
    for (Function<Transaction, CompletableFuture<?>> read : reads) {
      try (Transaction tx = db.createTransaction()) {
        tx.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, bytes("a"), new byte[14]);
        assertThat(code(read.apply(tx))).isEqualTo(1036);
        assertThat(code(tx.commit())).isEqualTo(1036);
      }
    }
    assertThat(stored("a")).isNull();
  }

  @Test
  void readOfAVersionThatIsGoneOrStillToComeFailsTheCommit() {
    put("a=1");
    for (int code : new int[] {1007, 1009}) {
      try (Transaction tx = db.createTransaction()) {
        tx.setReadVersion(code == 1007 ? 1 : Long.MAX_VALUE / 2);
        tx.set(bytes("b"), bytes("never"));
        assertThat(code(tx.snapshot().get(bytes("a")))).isEqualTo(code);
        assertThat(code(tx.commit())).isEqualTo(code);
      }
    }
    assertThat(stored("b")).isNull();
  }

  // ---- sizes

  @Test
  void longestStampedKeyAndValueAreStored() {
    db.run(
        tx -> {
          tx.mutate(MutationType.SET_VERSIONSTAMPED_KEY, stamped(10_000), bytes("1"));
          tx.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, bytes("a"), stamped(100_000));
          return true;
        });
    assertThat(stored("a")).hasSize(99_996);
    assertThat(db.<Integer>read(tx -> firstKey(tx, "l").length)).isEqualTo(9_996);
  }

  private static byte[] firstKey(ReadTransaction tx, String prefix) {
    return tx.getRange(bytes(prefix), bytes(prefix + "~")).asList().join().getFirst().getKey();
  }

  @Test
  void transactionThatIsTooLargeIsRefusedByItsCommitAlone() {
    try (Transaction tx = db.createTransaction()) {
      for (int i = 0; i < 110; i++) {
        tx.set(bytes("k" + i), new byte[100_000]);
      }
      assertThat(tx.get(bytes("k1")).join()).hasSize(100_000);
      assertThat(code(tx.commit())).isEqualTo(2101);
    }
    assertThat(stored("k1")).isNull();
  }

  // ---- watches

  @Test
  void watchOfARefusedCommitFailsWithTheRefusal() {
    try (Transaction tx = db.createTransaction()) {
      CompletableFuture<Void> watch = tx.watch(bytes("w"));
      tx.get(bytes("a")).join();
      tx.set(bytes("b"), bytes("1"));
      put("a=changed");
      assertThat(code(tx.commit())).isEqualTo(1020);
      assertThat(code(watch)).isEqualTo(1020);
    }
  }

  @Test
  void numberOfWatchesIsThatOfTheOption() {
    db.options().setMaxWatches(2);
    CompletableFuture<Void> first = db.run(tx -> tx.watch(bytes("a")));
    CompletableFuture<Void> second = db.run(tx -> tx.watch(bytes("b")));
    assertThat(code(db.<CompletableFuture<Void>>run(tx -> tx.watch(bytes("c"))))).isEqualTo(1032);
    first.cancel(true);
    CompletableFuture<Void> third = db.run(tx -> tx.watch(bytes("c")));
    assertThat(third).isNotDone();
    second.cancel(true);
    third.cancel(true);
  }

  // ---- the rest

  @Test
  void clearOfEverythingLeavesTheMetadataVersion() {
    byte[] metadata = Key.METADATA_VERSION.toByteArray();
    db.run(
        tx -> {
          tx.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, metadata, new byte[14]);
          return true;
        });
    db.run(
        tx -> {
          tx.clear(new byte[0], new byte[] {(byte) 0xff});
          return true;
        });
    assertThat(db.<byte[]>read(tx -> tx.get(metadata).join())).hasSize(10);
  }

  @Test
  void scanBoundedBySelectorsConflictsWithItsRowsAndGapsAlone() {
    put("b=1", "d=1", "f=1");
    for (String key : List.of("a", "e", "c")) {
      try (Transaction tx = db.createTransaction()) {
        tx.getRange(
                KeySelector.firstGreaterOrEqual(bytes("b")),
                KeySelector.firstGreaterOrEqual(bytes("e")))
            .asList()
            .join();
        tx.set(bytes("x"), bytes("1"));
        put(key + "=new");
        CompletableFuture<Void> commit = tx.commit();
        if (key.equals("c")) {
          assertThat(code(commit)).isEqualTo(1020);
        } else {
          commit.join();
        }
      }
    }
  }

  @Test
  void onErrorWithoutAnErrorFails() {
    try (Transaction tx = db.createTransaction()) {
      assertThat(code(tx.onError(new FDBException("No error", 0)))).isEqualTo(2000);
    }
  }

  @Test
  void readsToldApartGiveControlBack() {
    put("a=1");
    Database apart = FdbFacade.withReadsApart(store);
    Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    AtomicInteger rounds = new AtomicInteger();
    try (Transaction tx = apart.createTransaction(tasks::add)) {
      CompletableFuture<Void> loop =
          AsyncUtil.whileTrue(
              () -> tx.get(bytes("a")).thenApply(value -> rounds.incrementAndGet() < 1_000),
              Runnable::run);
      assertThat(loop).as("a loop whose first read was not told yet").isNotDone();
      for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
        task.run();
      }
      assertThat(loop).isCompleted();
      assertThat(rounds).hasValue(1_000);
    }
    try (Transaction tx = apart.createTransaction()) {
      assertThat(tx.getRange(bytes("a"), bytes("b")).asList().join()).hasSize(1);
      assertThat(tx.getRange(bytes("a"), bytes("b")).iterator().hasNext()).isTrue();
      assertThat(code(tx.get(SYSTEM))).isEqualTo(2004);
    }
  }
}
