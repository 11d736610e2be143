package dev.tidemark.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionContext;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.Watch;
import dev.tidemark.kv.directory.Directory;
import dev.tidemark.kv.directory.DirectoryLayer;
import dev.tidemark.kv.tuple.RangeSet;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.testkit.Guide;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/store.md. */
@Timeout(60)
class StoreGuideTest {
  private final Subspace scores = Subspace.of("scores");

  @TempDir Path folder;

  @Test
  void databaseIsOpenedOnDisk() {
    Path directory = folder.resolve("store");
    try (Database db = EmbeddedDatabase.open(directory, o -> o.withCacheBytes(64 << 20))) {
      db.run(tx -> tx.set(Key.utf8("greeting"), "hello".getBytes(UTF_8)));
      Optional<byte[]> greeting = db.read(tx -> tx.get(Key.utf8("greeting")));
      assertThat(greeting).hasValueSatisfying(value -> assertThat(value).hasSize(5));
    }
  }

  // A helper that takes a context works alone and as a part of something larger.
  static long deposit(TransactionContext context, String account, long amount) {
    Key key = Subspace.of("accounts").pack(account);
    return context.transact(
        tx -> {
          long before = tx.get(key).map(Tuple::unpack).orElse(Tuple.of(0)).getLong(0);
          tx.set(key, Tuple.of(before + amount).pack());
          return before + amount;
        });
  }

  @Test
  void helpersJoinTransactions() {
    try (Database db = EmbeddedDatabase.inMemory()) {
      long balance = deposit(db, "ann", 50);
      db.run(
          tx -> { // both, or neither
            deposit(tx, "ann", -20);
            deposit(tx, "bob", 20);
          });
      assertThat(balance).isEqualTo(50);
      assertThat(deposit(db, "ann", 0)).isEqualTo(30);
      assertThat(deposit(db, "bob", 0)).isEqualTo(20);
    }
  }

  @Test
  void scansHaveLimitsAndDirections() {
    try (Database db = filledScores()) {
      List<KeyValue> best = db.read(tx -> tx.scan(scores.range()).reverse().limit(3).list());
      for (KeyValue row : best) {
        Tuple key = scores.unpack(row.key()); // (points, player)
        assertThat(key.getString(1)).isEqualTo("player" + key.getLong(0) / 10);
      }
      assertThat(best)
          .extracting(row -> scores.unpack(row.key()).getLong(0))
          .containsExactly(90L, 80L, 70L);

      db.run(tx -> assertThat(total(tx)).isEqualTo(450));
      selectors(db);
    }
  }

  private long total(ReadTransaction tx) {
    long points = 0;
    for (KeyValue row : tx.scan(scores.range())) { // fetched as the loop goes on
      points += scores.unpack(row.key()).getLong(0);
    }
    return points;
  }

  private void selectors(Database db) {
    try (Transaction tx = db.begin()) {
      Key fifty = scores.pack(50);
      Key next = tx.getKey(KeySelector.firstGreaterOrEqual(fifty));
      Key before = tx.getKey(KeySelector.lastLessThan(fifty));
      List<KeyValue> around =
          tx.scan(
                  KeySelector.lastLessThan(fifty).add(-1), // two before it
                  KeySelector.firstGreaterOrEqual(fifty).add(2)) // and two from it on
              .list();
      assertThat(scores.unpack(next).getLong(0)).isEqualTo(50);
      assertThat(scores.unpack(before).getLong(0)).isEqualTo(40);
      assertThat(around)
          .extracting(row -> scores.unpack(row.key()).getLong(0))
          .containsExactly(30L, 40L, 50L, 60L);
    }
  }

  private final RangeSet done = RangeSet.in(Subspace.of("done"));

  // Does a part of the work. False if there is none left.
  private boolean next(Transaction tx) {
    List<KeyRange> missing = done.missing(tx, scores.range(), 1);
    if (missing.isEmpty()) {
      return false;
    }
    KeyRange gap = missing.getFirst();
    List<KeyValue> rows = tx.scan(gap).limit(4).list();
    rows.forEach(row -> work(tx, row));
    Key end = rows.size() < 4 ? gap.end() : rows.getLast().key().next();
    done.insert(tx, KeyRange.of(gap.begin(), end)); // in the commit of the work itself
    return true;
  }

  private static void work(Transaction tx, KeyValue row) {
    byte[] one = {1};
    tx.mutate(MutationType.ADD, Subspace.of("times").pack(row.key().toByteArray()), one);
  }

  @Test
  void longWorkGoesOnWhereItWasInterrupted() {
    try (Database db = filledScores()) {
      db.transact(this::next);
      db.run(tx -> tx.set(scores.pack(85L, "late"), new byte[0]));
      while (db.transact(this::next)) {}

      List<KeyValue> times = db.read(tx -> tx.scan(Subspace.of("times").range()).list());
      assertThat(times).hasSize(11).allSatisfy(row -> assertThat(row.value()).containsExactly(1));
    }
  }

  private Database filledScores() {
    Database db = EmbeddedDatabase.inMemory();
    db.run(
        tx -> {
          for (int i = 0; i < 10; i++) {
            tx.set(scores.pack(i * 10L, "player" + i), new byte[0]);
          }
        });
    return db;
  }

  @Test
  void tuplesAndSubspacesMakeKeys() {
    Subspace orders = Subspace.of("shop", "orders");
    Key key = orders.pack("ann", 7);
    Tuple back = orders.unpack(key);
    assertThat(back.getString(0)).isEqualTo("ann");
    assertThat(back.getLong(1)).isEqualTo(7);
    assertThat(orders.sub("ann").pack(7)).isEqualTo(key);
    assertThat(orders.pack("ann", 7)).isLessThan(orders.pack("ann", 10)); // as numbers
    assertThat(orders.range(Tuple.of("ann")).contains(key)).isTrue();
  }

  @Test
  void directoriesHaveShortPrefixes() {
    try (Database db = EmbeddedDatabase.inMemory()) {
      Directory users = DirectoryLayer.DEFAULT.createOrOpen(db, "shop", "users");
      db.run(tx -> tx.set(users.subspace().pack(42), "ann".getBytes(UTF_8)));

      users.moveTo(db, "shop", "customers"); // no key is touched
      List<String> names = DirectoryLayer.DEFAULT.list(db, "shop");
      DirectoryLayer.DEFAULT.remove(db, "shop"); // with all keys in it
      assertThat(names).containsExactly("customers");
      assertThat(has(db, users.subspace().pack(42))).isFalse();
    }
  }

  @Test
  void mutationsDoNotConflict() {
    try (Database db = EmbeddedDatabase.inMemory()) {
      Key visits = Subspace.of("visits").pack("/index");
      byte[] one = {1, 0, 0, 0, 0, 0, 0, 0}; // little-endian
      db.run(tx -> tx.mutate(MutationType.ADD, visits, one));
      try (Transaction first = db.begin();
          Transaction second = db.begin()) {
        first.mutate(MutationType.ADD, visits, one);
        second.mutate(MutationType.ADD, visits, one);
        first.commit();
        second.commit();
      }
      assertThat(db.read(tx -> tx.get(visits)).orElseThrow())
          .containsExactly(3, 0, 0, 0, 0, 0, 0, 0);
    }
  }

  @Test
  void versionstampsAreTheOrderOfCommits() {
    try (Database db = EmbeddedDatabase.inMemory()) {
      Subspace log = Subspace.of("log");
      db.run(tx -> append(tx, log, "first"));
      db.run(tx -> append(tx, log, "second"));

      List<KeyValue> entries = db.read(tx -> tx.scan(log.range()).list());
      Versionstamp stamp = log.unpack(entries.getLast().key()).getVersionstamp(0);
      assertThat(entries)
          .extracting(row -> new String(row.value(), UTF_8))
          .containsExactly("first", "second");
      assertThat(db.timeOf(stamp.version())).isBeforeOrEqualTo(db.time().instant().plusSeconds(1));
    }
  }

  private static void append(Transaction tx, Subspace log, String text) {
    Key key = log.packWithVersionstamp(Tuple.of(Versionstamp.incomplete(0)));
    tx.mutate(MutationType.SET_VERSIONSTAMPED_KEY, key, text.getBytes(UTF_8));
  }

  @Test
  void watchesFireWhenAValueChanges() {
    try (Database db = EmbeddedDatabase.inMemory()) {
      Key flag = Key.utf8("flag");
      Thread.ofVirtual().start(() -> db.run(tx -> tx.set(flag, new byte[] {1})));
      assertThat(awaitValue(db, flag)).containsExactly(1);
    }
  }

  static byte[] awaitValue(Database db, Key key) {
    while (true) {
      try (Transaction tx = db.begin()) {
        Optional<byte[]> value = tx.get(key);
        if (value.isPresent()) {
          return value.get();
        }
        try (Watch watch = tx.watch(key)) {
          tx.commit(); // from here on the watch is active
          watch.await(Duration.ofSeconds(10)); // then look again, fired or not
        }
      }
    }
  }

  @Test
  void optionsAreForOneCall() {
    try (Database db = EmbeddedDatabase.inMemory()) {
      Key key = Key.utf8("key");
      TransactionContext hasty =
          db.with(o -> o.withTimeout(Duration.ofSeconds(2)).withRetryLimit(5));
      hasty.run(tx -> tx.set(key, new byte[1]));
      db.with(o -> o.withPriority(TransactionOptions.Priority.BATCH)).run(tx -> tx.clear(key));
      assertThat(has(db, key)).isFalse();
    }
  }

  @Test
  void snapshotReadsDoNotConflict() {
    try (Database db = filledScores()) {
      Key result = Key.utf8("result");
      Key player = scores.pack(90, "player9");
      try (Transaction tx = db.begin()) {
        long points = total(tx.snapshot()); // whoever changes a score does not disturb
        tx.addReadConflict(player); // except this one
        tx.set(result, Tuple.of(points).pack());
        db.run(other -> other.set(scores.pack(100, "player10"), new byte[0]));
        tx.commit();
      }
      try (Transaction tx = db.begin()) {
        total(tx.snapshot());
        tx.addReadConflict(player);
        tx.set(result, new byte[0]);
        db.run(other -> other.clear(player));
        assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
      }
    }
  }

  @Test
  void failuresSayWhatToDo() {
    try (Database db = EmbeddedDatabase.inMemory()) {
      assertThatThrownBy(() -> db.run(tx -> tx.set(Key.utf8("large"), new byte[100_001])))
          .isInstanceOfSatisfying(
              LimitExceededException.class,
              failure -> {
                assertThat(failure.limit()).isEqualTo(100_000);
                assertThat(failure.code()).isEqualTo(2103); // FoundationDB's
                assertThat(failure.retryable()).isFalse();
              });
    }
  }

  @Test
  void backupIsRestored() {
    try (EmbeddedDatabase db = EmbeddedDatabase.open(folder.resolve("store"))) {
      db.run(tx -> tx.set(Key.utf8("a"), new byte[1]));
      keep(db, folder.resolve("backup"));
      db.run(tx -> tx.set(Key.utf8("b"), new byte[1]));
    }
    EmbeddedDatabase.restore(folder.resolve("backup"), folder.resolve("restored"));
    try (EmbeddedDatabase db = EmbeddedDatabase.open(folder.resolve("restored"))) {
      assertThat(has(db, Key.utf8("a"))).isTrue();
      assertThat(has(db, Key.utf8("b"))).isFalse();
    }
    assertThatThrownBy(
            () -> EmbeddedDatabase.restore(folder.resolve("backup"), folder.resolve("restored")))
        .as("the directory is not empty")
        .isInstanceOf(UsageException.class);
  }

  private static void keep(EmbeddedDatabase db, Path backup) {
    db.verify(); // reads all files; throws if one is damaged
    db.backup(backup); // while reads and commits go on
  }

  @Test
  void statisticsAreMeters() {
    try (EmbeddedDatabase db = EmbeddedDatabase.inMemory()) {
      db.run(tx -> tx.set(Key.utf8("a"), new byte[1]));
      EngineStatistics statistics = db.statistics();
      assertThat(statistics.commits()).isEqualTo(1);

      MeterRegistry registry = new SimpleMeterRegistry();
      new EmbeddedMetrics(db).bindTo(registry);
      double commits = registry.get("tidemark.commits").functionCounter().count();
      assertThat(commits).isEqualTo(1);
    }
  }

  private static boolean has(Database db, Key key) {
    Optional<byte[]> value = db.read(tx -> tx.get(key));
    return value.isPresent();
  }

  /** Every block of Java in the guide is part of this class. */
  @Test
  void guideShowsCodeThatRuns() {
    Guide.read("docs/store.md")
        .showsCodeOf(
            19, "tidemark-embedded/src/test/java/dev/tidemark/embedded/StoreGuideTest.java");
  }
}
