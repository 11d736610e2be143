package dev.tidemark.foundationdb;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.apple.foundationdb.FDBException;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.CommitUnknownException;
import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.TransactionOptions.Idempotency;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.Watch;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.junit.SeedSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the conformance suite cannot see: a cluster that answers late, in doubt or not at all. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class FoundationDbTest {
  private static final Key A = Key.utf8("a");
  private static final Key RESERVED = Key.of((byte) 0xfd);
  private static final Key SAMPLES = RESERVED.append("tidemark/version-times/".getBytes(US_ASCII));
  private static final byte[] ONE = {1, 0, 0, 0, 0, 0, 0, 0};
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final EmbeddedDatabase below = EmbeddedDatabase.inMemory();
  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable database : opened.reversed()) {
      database.close();
    }
    below.close();
  }

  private FoundationDb open() {
    return open(FdbFacade.of(below));
  }

  private FoundationDb open(String method, InterceptedClient.Interception instead) {
    return open(InterceptedClient.of(FdbFacade.of(below), method, instead));
  }

  private FoundationDb open(com.apple.foundationdb.Database client) {
    return open(client, FoundationDbOptions.DEFAULTS);
  }

  /** A database that waits a second only, whose {@code method} is never answered. */
  private FoundationDb openUnanswered(String method) {
    return open(
        InterceptedClient.of(
            FdbFacade.of(below), method, (real, arguments) -> new CompletableFuture<>()),
        FoundationDbOptions.DEFAULTS.withResponseTimeout(Duration.ofSeconds(1)));
  }

  private FoundationDb open(com.apple.foundationdb.Database client, FoundationDbOptions options) {
    FoundationDb database = FoundationDb.over(client, options.withoutSamples(), Limits.DEFAULTS);
    opened.add(database);
    return database;
  }

  private static <T> CompletableFuture<T> failed(int code) {
    return CompletableFuture.failedFuture(new FDBException("As injected", code));
  }

  private byte[] stored(Key key) {
    return below.read(tx -> tx.get(key)).orElseThrow();
  }

  // ---- commits in doubt

  /** One that was lost, and one that the call of another thread during the commit made fail. */
  @ParameterizedTest
  @ValueSource(ints = {1021, 2017})
  void unknownResultOfACommitThatHappenedIsFoundOutAndNotRepeated(int code) {
    AtomicInteger commits = new AtomicInteger();
    FoundationDb db =
        open(
            "commit",
            (real, arguments) ->
                commits.getAndIncrement() == 0
                    ? real.commit().thenCompose(done -> failed(code))
                    : real.commit());

    db.run(tx -> tx.mutate(MutationType.ADD, A, ONE));

    assertThat(stored(A)).isEqualTo(ONE);
  }

  @Test
  void unknownResultOfACommitThatDidNotHappenIsFoundOutAndRepeated() {
    AtomicInteger commits = new AtomicInteger();
    FoundationDb db =
        open(
            "commit",
            (real, arguments) -> commits.getAndIncrement() == 0 ? failed(1021) : real.commit());

    db.run(tx -> tx.mutate(MutationType.ADD, A, ONE));

    assertThat(stored(A)).isEqualTo(ONE);
    assertThat(commits).hasValue(3);
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 5)
  void everyIncrementCountsOnceThoughManyCommitsEndInDoubt(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    FoundationDb db =
        open(
            "commit",
            (real, arguments) ->
                switch (random.nextInt(4)) {
                  case 0 -> failed(1021);
                  case 1 -> real.commit().thenCompose(done -> failed(1021));
                  default -> real.commit();
                });

    for (int i = 0; i < 100; i++) {
      db.run(tx -> tx.mutate(MutationType.ADD, A, ONE));
    }

    assertThat(stored(A)).containsExactly(100, 0, 0, 0, 0, 0, 0, 0);
  }

  @Test
  void watchOfACommitThatWasInDoubtDoesNotMissAChange() {
    AtomicInteger commits = new AtomicInteger();
    FoundationDb db =
        open(
            "commit",
            (real, arguments) ->
                commits.getAndIncrement() == 0
                    ? real.commit().thenCompose(done -> failed(1021))
                    : real.commit());

    try (Watch watch =
        db.transact(
            tx -> {
              tx.set(Key.utf8("b"), ONE);
              return tx.watch(A);
            })) {
      below.run(tx -> tx.set(A, ONE));
      assertThat(watch.await(PATIENCE)).isTrue();
    }
  }

  @Test
  void unknownResultReachesACallerWithoutIds() {
    FoundationDb db = open("commit", (real, arguments) -> failed(1021));

    assertThatThrownBy(
            () -> db.with(o -> o.withIdempotency(Idempotency.OFF)).run(tx -> tx.set(A, ONE)))
        .isInstanceOf(CommitUnknownException.class);
  }

  @Test
  void writersLeaveIdsAndReadersDoNot() {
    FoundationDb db = open();

    db.run(tx -> tx.get(A));
    assertThat(rows(below, RESERVED)).isZero();
    db.run(tx -> tx.set(A, ONE));
    assertThat(rows(below, RESERVED)).isOne();
  }

  @Test
  void commitThatIsNotAnsweredHasAnUnknownResult() {
    FoundationDb db = openUnanswered("commit");

    try (Transaction tx = db.begin()) {
      tx.set(A, ONE);
      assertThatThrownBy(tx::commit)
          .isInstanceOf(CommitUnknownException.class)
          .hasMessageContaining("PT1S (FoundationDbOptions.responseTimeout)");
    }
  }

  @Test
  void interruptOfACommitOnItsWayIsKeptForLater() {
    FoundationDb db =
        open(
            "commit",
            (real, arguments) -> {
              Thread.currentThread().interrupt();
              return real.commit();
            });

    try (Transaction tx = db.begin()) {
      tx.set(A, ONE);
      tx.commit();
    }

    assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();
    assertThat(stored(A)).isEqualTo(ONE);
  }

  // ---- reads

  @Test
  void readThatIsNotAnsweredIsUnavailable() {
    FoundationDb db = openUnanswered("get");

    try (Transaction tx = db.begin()) {
      DatabaseException failure = catchThrowableOfType(DatabaseException.class, () -> tx.get(A));
      assertThat(failure)
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("PT1S (FoundationDbOptions.responseTimeout)");
      assertThat(failure.code()).isEqualTo(1004);
      assertThat(failure.retryable()).isTrue();
    }
  }

  @Test
  void transactGivesUpAClusterThatDoesNotAnswerAfterThreeWaits() {
    FoundationDb db = openUnanswered("get");
    AtomicInteger attempts = new AtomicInteger();

    assertThatThrownBy(
            () ->
                db.transact(
                    tx -> {
                      attempts.incrementAndGet();
                      return tx.get(A);
                    }))
        .isInstanceOf(UnavailableException.class);
    assertThat(attempts).hasValue(3);
  }

  @Test
  void interruptEndsAReadAndTheFlagIsSetAgain() {
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    FoundationDb db = open("get", (real, arguments) -> answer);

    try (Transaction tx = db.begin()) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> tx.get(A)).isInstanceOf(InterruptedOperationException.class);
      assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();
      assertThat(answer).as("the client's future").isCancelled();
    }
  }

  @Test
  void getAllAsksForEveryKeyBeforeItWaitsForOne() {
    List<CompletableFuture<byte[]>> asked = new ArrayList<>();
    FoundationDb db =
        open(
            "get",
            (real, arguments) -> {
              CompletableFuture<byte[]> answer = new CompletableFuture<>();
              asked.add(answer);
              if (asked.size() == 3) {
                asked.forEach(waiting -> waiting.complete(ONE));
              }
              return answer;
            });

    try (Transaction tx = db.begin()) {
      assertThat(tx.getAll(List.of(A, Key.utf8("b"), Key.utf8("c"), A))).hasSize(3);
    }
  }

  @Test
  void errorInTheMiddleOfAScanIsNotItsEnd() {
    below.run(tx -> tx.set(A, ONE));
    FoundationDb db =
        open(
            "getRange",
            (real, arguments) -> {
              throw new FDBException("As injected", 1037);
            });

    try (Transaction tx = db.begin()) {
      assertThatThrownBy(() -> tx.scan(KeyRange.ALL).list())
          .isInstanceOf(UnavailableException.class);
    }
  }

  @Test
  void readConflictOnTheMetadataVersionIsKept() {
    FoundationDb db = open();

    try (Transaction tx = db.begin()) {
      tx.addReadConflict(Key.METADATA_VERSION);
      tx.set(A, ONE);
      db.run(
          other ->
              other.mutate(
                  MutationType.SET_VERSIONSTAMPED_VALUE, Key.METADATA_VERSION, new byte[14]));
      assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
    }
  }

  // ---- the rest

  @Test
  void watchThatTheClusterDropsFires() {
    FoundationDb db = open("watch", (real, arguments) -> failed(1029));

    try (Watch watch = db.transact(tx -> tx.watch(A))) {
      assertThat(watch.await(PATIENCE)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1032, 2004, 2102})
  void watchThatTheClusterRefusesFailsAndDoesNotFire(int code) {
    FoundationDb db = open("watch", (real, arguments) -> failed(code));

    try (Watch watch = db.transact(tx -> tx.watch(A))) {
      DatabaseException failure =
          catchThrowableOfType(DatabaseException.class, () -> watch.await(PATIENCE));
      assertThat(failure.code()).isEqualTo(code);
      assertThat(watch.fired()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1020, 1025, 1101})
  void watchThatEndsWithItsTransactionIsClosedAndDoesNotFire(int code) {
    FoundationDb db = open("watch", (real, arguments) -> failed(code));

    try (Watch watch = db.transact(tx -> tx.watch(A))) {
      assertThatThrownBy(() -> watch.await(PATIENCE))
          .isInstanceOf(TransactionClosedException.class);
      assertThat(watch.fired()).isFalse();
    }
  }

  /** The client does not check it, as a cluster's resolvers do not. */
  @Test
  void commitAtAVersionThatIsStillToComeIsRefusedHere() {
    FoundationDb db = open("setReadVersion", (real, arguments) -> new CompletableFuture<>());
    long latest = db.read(tx -> tx.readVersion());
    try (Transaction tx = db.begin()) {
      tx.setReadVersion(latest + 1_000_000_000_000L);
      tx.addReadConflict(A);
      tx.set(A, ONE);
      assertThatThrownBy(tx::commit)
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("cannot be read yet");
    }
    assertThat(rows(below, A)).isZero();
    try (Transaction tx = db.begin()) {
      tx.setReadVersion(latest);
      tx.addReadConflict(A);
      tx.set(A, ONE);
      tx.commit();
    }
    assertThat(stored(A)).isEqualTo(ONE);
  }

  @Test
  void writeThatMakesTheTransactionTooLargeIsRefusedAtOnce() {
    FoundationDb db = open();

    try (Transaction tx = db.begin(TransactionOptions.DEFAULTS.withSizeLimit(1_000))) {
      tx.set(A, new byte[900]);
      LimitExceededException failure =
          catchThrowableOfType(
              LimitExceededException.class, () -> tx.set(Key.utf8("b"), new byte[200]));
      assertThat(failure.code()).isEqualTo(2101);
      assertThat(failure.actual()).isGreaterThan(1_100);
      assertThat(failure.limit()).isEqualTo(1_000);
    }
  }

  @Test
  void sizeLimitHoldsForReadsAlsoWhereTheClientWouldTakeThem() {
    FoundationDb db = open(InterceptedClient.noting(FdbFacade.of(below), new ArrayList<>()));

    try (Transaction tx = db.begin(TransactionOptions.DEFAULTS.withSizeLimit(500))) {
      tx.set(A, new byte[100]);
      for (int i = 0; i < 100; i++) {
        tx.get(Key.utf8("key" + i));
      }
      assertThat(tx.size()).isGreaterThan(500);
      LimitExceededException failure =
          catchThrowableOfType(LimitExceededException.class, tx::commit);
      assertThat(failure.code()).isEqualTo(2101);
      assertThat(failure.limit()).isEqualTo(500);
    }
    assertThat(rows(below, A)).isZero();
  }

  @Test
  void commitAfterTheOnlyWriteWasRefusedByTheClientSucceedsWithoutAStamp() {
    FoundationDb db =
        open(
            "set",
            (real, arguments) -> {
              throw new FDBException("As injected", 2004);
            });

    try (Transaction tx = db.begin()) {
      assertThatThrownBy(() -> tx.set(A, ONE)).isInstanceOf(UsageException.class);
      tx.commit();
      assertThat(tx.committedVersion()).isEqualTo(-1);
      assertThat(tx.hasWrites()).isFalse();
    }
  }

  @Test
  void sizeLimitAboveThatOfAClusterIsRefused() {
    FoundationDb db = open();

    assertThatThrownBy(() -> db.begin(TransactionOptions.DEFAULTS.withSizeLimit(10_000_001)))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("10,000,001");
  }

  @Test
  void timeoutMayBeLongerThanTheClientCanCount() {
    FoundationDb db = open();

    db.with(o -> o.withTimeout(Duration.ofDays(300))).run(tx -> tx.set(A, ONE));

    assertThat(stored(A)).isEqualTo(ONE);
  }

  @Test
  void clientIsToldTheNumberOfWatchesAndNotToFailCommits() {
    List<String> noted = new ArrayList<>();

    open(InterceptedClient.noting(FdbFacade.of(below), noted));

    assertThat(noted).containsExactly("database 20=10000", "database 701");
  }

  @Test
  void clientIsToldWhatATransactionWants() {
    List<String> noted = new ArrayList<>();
    FoundationDb db = open(InterceptedClient.noting(FdbFacade.of(below), noted));
    noted.clear();

    db.begin().close();
    assertThat(noted).isEmpty();
    db.begin(
            TransactionOptions.DEFAULTS
                .withTimeout(Duration.ofNanos(1_500_000))
                .withSizeLimit(1_000)
                .withPriority(TransactionOptions.Priority.BATCH))
        .close();
    assertThat(noted)
        .containsExactly("transaction 500=2", "transaction 503=1000", "transaction 201");
  }

  @Test
  void openDatabaseSamplesVersionsAndStopsWhenClosed() throws Exception {
    ManualTime time = ManualTime.standing();
    Instant start = Instant.EPOCH.plusNanos(time.wallMicros() * 1_000);
    try (EmbeddedDatabase store = EmbeddedDatabase.inMemory(o -> o.withTime(time))) {
      try (FoundationDb db =
          FoundationDb.over(
              FdbFacade.of(store), FoundationDbOptions.DEFAULTS.withTime(time), Limits.DEFAULTS)) {
        time.awaitSleepers(1);
        time.advance(Duration.ofSeconds(10));
        time.awaitSleepers(1);
        long version = db.versionAt(start.plusSeconds(4));
        assertThat(db.timeOf(version)).isEqualTo(start.plusSeconds(4));
        assertThat(db.timeOf(version + 1_000_000)).isEqualTo(start.plusSeconds(5));
      }
      int samples = rows(store, SAMPLES);
      time.advance(Duration.ofSeconds(60));
      assertThat(rows(store, SAMPLES)).isEqualTo(samples);
    }
  }

  private static int rows(EmbeddedDatabase store, Key prefix) {
    return store.read(tx -> tx.scan(KeyRange.startingWith(prefix)).list()).size();
  }
}
