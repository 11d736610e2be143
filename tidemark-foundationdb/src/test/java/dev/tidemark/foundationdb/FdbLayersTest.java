package dev.tidemark.foundationdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDB;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.LocalityUtil;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncUtil;
import com.apple.foundationdb.directory.DirectoryAlreadyExistsException;
import com.apple.foundationdb.directory.DirectoryLayer;
import com.apple.foundationdb.directory.DirectorySubspace;
import com.apple.foundationdb.subspace.Subspace;
import com.apple.foundationdb.tuple.Tuple;
import com.apple.foundationdb.tuple.Versionstamp;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** fdb-java's own layers and helpers, and its class FDB without the native library. */
class FdbLayersTest extends FacadeCase {
  /** The one that the Record Layer selects in the same JVM. */
  private static final int API_VERSION = 630;

  private final DirectoryLayer directories = DirectoryLayer.getDefault();

  @Test
  void directoriesAreCreatedListedMovedAndRemoved() {
    DirectorySubspace orders = directories.createOrOpen(db, List.of("shop", "orders")).join();
    directories.create(db, List.of("shop", "users")).join();
    assertThat(directories.list(db, List.of("shop")).join()).containsExactly("orders", "users");

    DirectorySubspace moved =
        directories.move(db, List.of("shop", "orders"), List.of("shop", "archive")).join();
    assertThat(moved.getKey()).isEqualTo(orders.getKey());
    assertThat(directories.exists(db, List.of("shop", "orders")).join()).isFalse();

    directories.remove(db, List.of("shop")).join();
    assertThat(directories.exists(db, List.of("shop")).join()).isFalse();
  }

  @Test
  void directoryIsCreatedOnce() {
    directories.create(db, List.of("one")).join();
    assertThatThrownBy(() -> directories.create(db, List.of("one")).join())
        .hasCauseInstanceOf(DirectoryAlreadyExistsException.class);
  }

  @Test
  void directoriesOfManyThreadsGetPrefixesOfTheirOwn() throws Exception {
    List<Callable<Tuple>> tasks =
        IntStream.range(0, 80)
            .mapToObj(i -> List.of("many", "directory" + i))
            .<Callable<Tuple>>map(
                path -> () -> Tuple.from(directories.create(db, path).join().getKey()))
            .toList();
    Set<Tuple> prefixes = new HashSet<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (Future<Tuple> created : threads.invokeAll(tasks)) {
        prefixes.add(created.get());
      }
    }
    assertThat(prefixes).hasSize(80);
  }

  @Test
  void tupleIsPackedWithItsVersionstamp() {
    Subspace log = new Subspace(Tuple.from("log"));
    CompletableFuture<byte[]> stamp;
    try (Transaction tx = db.createTransaction()) {
      byte[] key = log.packWithVersionstamp(Tuple.from(Versionstamp.incomplete(7)));
      tx.mutate(MutationType.SET_VERSIONSTAMPED_KEY, key, bytes("entry"));
      stamp = tx.getVersionstamp();
      tx.commit().join();
    }
    List<KeyValue> rows = db.read(tx -> tx.getRange(log.range()).asList().join());
    assertThat(rows).hasSize(1);
    Versionstamp stored = log.unpack(rows.getFirst().getKey()).getVersionstamp(0);
    assertThat(stored).isEqualTo(Versionstamp.complete(stamp.join(), 7));
  }

  @Test
  void asyncHelpersRunWithoutAnExecutor() {
    put("a=1", "b=2", "c=3");
    List<byte[]> values =
        db.runAsync(tx -> AsyncUtil.collect(tx.getRange(bytes("a"), bytes("z"))))
            .thenCompose(
                rows ->
                    AsyncUtil.getAll(
                        rows.stream()
                            .map(KeyValue::getValue)
                            .map(CompletableFuture::completedFuture)
                            .toList()))
            .join();
    assertThat(values).hasSize(3);
    assertThat(FDB.DEFAULT_EXECUTOR.submit(() -> 42)).succeedsWithin(Duration.ofSeconds(10));
  }

  @Test
  void layerThatOpensFoundationDbItselfGetsTheInstalledStore() {
    FdbFacade.install(store);
    FDB fdb = FDB.selectAPIVersion(API_VERSION);
    assertThat(FDB.isAPIVersionSelected()).isTrue();
    assertThat(fdb.getAPIVersion()).isEqualTo(API_VERSION);
    fdb.options().setTraceEnable("/nowhere");
    fdb.startNetwork();
    try (Database opened = fdb.open("/no/cluster/file", ForkJoinPool.commonPool())) {
      assertThat(opened.getExecutor()).isSameAs(ForkJoinPool.commonPool());
      opened
          .runAsync(
              tx -> {
                tx.set(bytes("a"), bytes("1"));
                return AsyncUtil.DONE;
              })
          .join();
    }
    fdb.stopNetwork();
    assertThat(stored("a")).isEqualTo(bytes("1"));
    assertThatThrownBy(() -> FDB.selectAPIVersion(740))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void allKeysLieTogether() {
    try (var boundaries = LocalityUtil.getBoundaryKeys(db, bytes("a"), bytes("b"))) {
      assertThat(boundaries.hasNext()).isFalse();
    }
    try (var boundaries = LocalityUtil.getBoundaryKeys(db, new byte[0], new byte[] {(byte) 0xff})) {
      assertThat(boundaries.hasNext()).isTrue();
      assertThat(boundaries.next()).isEmpty();
      assertThat(boundaries.hasNext()).isFalse();
    }
  }
}
