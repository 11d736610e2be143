package dev.tidemark.embedded.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.embedded.EmbeddedOptions;
import dev.tidemark.embedded.internal.read.PinnedVersion;
import dev.tidemark.embedded.internal.storage.BatchBuilder;
import dev.tidemark.embedded.internal.storage.PublishedVersions;
import dev.tidemark.embedded.internal.storage.RocksStorage;
import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.spi.IdentifiedCommit;
import dev.tidemark.kv.spi.PromptTransaction;
import dev.tidemark.kv.spi.commit.Commit;
import dev.tidemark.kv.spi.commit.CommitId;
import dev.tidemark.kv.spi.commit.CommitId.Fate;
import dev.tidemark.kv.spi.commit.CommitListener;
import dev.tidemark.testkit.Eventually;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.junit.SeedSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** What became of a commit can be asked for by its id. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class CommitIdsTest {
  private static final Key A = Key.utf8("a");
  private static final byte[] ONE = {1, 0, 0, 0, 0, 0, 0, 0};

  @TempDir Path directory;

  private static PromptTransaction begin(Database database) {
    return (PromptTransaction) database.begin();
  }

  private static IdentifiedCommit identify(PromptTransaction tx, Database database) {
    return IdentifiedCommit.attach(tx, database, CommitId.next());
  }

  private static IdentifiedCommit commit(Database database, Key key) {
    try (PromptTransaction tx = begin(database)) {
      tx.set(key, ONE);
      IdentifiedCommit commit = identify(tx, database);
      tx.commit();
      return commit;
    }
  }

  private static Fate fate(IdentifiedCommit commit, Database database) {
    try (PromptTransaction tx = begin(database)) {
      return commit.settle(tx, database);
    }
  }

  @Test
  void commitIsFoundAlsoWhenTheStoreWasOpenedAgain() {
    IdentifiedCommit commit;
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory)) {
      commit = commit(database, A);
      assertThat(fate(commit, database)).isEqualTo(Fate.COMMITTED);
    }
    try (EmbeddedDatabase again = EmbeddedDatabase.open(directory)) {
      assertThat(fate(commit, again)).isEqualTo(Fate.COMMITTED);
    }
  }

  @Test
  void idsAreNotAmongTheKeysOfAProgram() {
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory()) {
      commit(database, A);
      List<KeyValue> all = database.read(tx -> tx.scan(KeyRange.of(Key.EMPTY, Key.END)).list());
      assertThat(all).extracting(KeyValue::key).containsExactly(A);
    }
  }

  @Test
  void commitThatWasGivenUpCannotHappenAnyMore() {
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory();
        PromptTransaction tx = begin(database)) {
      tx.set(A, ONE);
      IdentifiedCommit commit = identify(tx, database);
      assertThat(fate(commit, database)).isEqualTo(Fate.NOT_COMMITTED);
      assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
      assertThat(fate(commit, database)).isEqualTo(Fate.NOT_COMMITTED);
      Optional<byte[]> value = database.read(read -> read.get(A));
      assertThat(value).isEmpty();
    }
  }

  @Test
  void commitFromBeforeTheStoreWasOpenedAgainCannotHappenAnyMore() {
    IdentifiedCommit commit;
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory);
        PromptTransaction tx = begin(database)) {
      tx.set(A, ONE);
      commit = identify(tx, database);
    }
    try (EmbeddedDatabase again = EmbeddedDatabase.open(directory);
        PromptTransaction late = begin(again)) {
      assertThat(fate(commit, again)).isEqualTo(Fate.NOT_COMMITTED);
      late.setReadVersion(commit.version());
      late.set(A, ONE);
      IdentifiedCommit.attach(late, again, commit.id());
      assertThatThrownBy(late::commit).isInstanceOf(TransactionTooOldException.class);
    }
  }

  @Test
  void commitThatMetAConflictWasNotCommitted() {
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory();
        PromptTransaction tx = begin(database)) {
      tx.get(A);
      tx.set(Key.utf8("b"), ONE);
      IdentifiedCommit commit = identify(tx, database);
      database.run(other -> other.set(A, ONE));
      assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
      assertThat(fate(commit, database)).isEqualTo(Fate.NOT_COMMITTED);
    }
  }

  @Test
  void idsOfAGroupThatIsWrittenInTwoPartsAreAllFound() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory()) {
      List<IdentifiedCommit> commits = new ArrayList<>();
      CountDownLatch ended = new CountDownLatch(40);
      Runnable start = () -> {};
      for (int i = 0; i < 40; i++) {
        PromptTransaction tx = begin(database);
        // A sum of what the same group has set takes the value from the disk.
        if (i % 2 == 0) {
          tx.set(A, ONE);
        } else {
          tx.mutate(MutationType.ADD, A, ONE);
        }
        commits.add(identify(tx, database));
        start = tx.commitLater(counting(ended));
      }
      start.run();
      assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(commits).allMatch(commit -> fate(commit, database) == Fate.COMMITTED);
    }
  }

  private static CommitListener counting(CountDownLatch ended) {
    return new CommitListener() {
      @Override
      public void committed(Commit.Position position) {
        ended.countDown();
      }

      @Override
      public void failed(Supplier<? extends DatabaseException> why) {
        throw why.get();
      }

      @Override
      public void allTold() {}
    };
  }

  @Test
  void afterTenMinutesOfCommitsNobodyCanTell() {
    ManualTime time = ManualTime.standing();
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory(o -> o.withTime(time))) {
      IdentifiedCommit old = commit(database, A);
      time.advance(Duration.ofMinutes(9));
      commit(database, A);
      assertThat(fate(old, database)).isEqualTo(Fate.COMMITTED);
      time.advance(Duration.ofMinutes(2));
      commit(database, A);
      time.advance(Duration.ofMinutes(2));
      IdentifiedCommit young = commit(database, A);
      assertThat(fate(old, database)).isEqualTo(Fate.UNKNOWN);
      assertThat(fate(young, database)).isEqualTo(Fate.COMMITTED);
    }
  }

  @Test
  void afterALongSilenceTheNextCommitsCanBeAskedFor() {
    ManualTime time = ManualTime.standing();
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory(o -> o.withTime(time))) {
      commit(database, A);
      try (PromptTransaction never = begin(database)) {
        time.advance(Duration.ofHours(3));
        never.set(A, ONE);
        IdentifiedCommit lost = identify(never, database);
        IdentifiedCommit next = commit(database, A);
        assertThat(fate(next, database)).isEqualTo(Fate.COMMITTED);
        assertThat(fate(lost, database)).isEqualTo(Fate.NOT_COMMITTED);
      }
    }
  }

  @Test
  void versionThatIsNotCommittedYetIsRefused() {
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory()) {
      IdentifiedCommit future = new IdentifiedCommit(CommitId.next(), Long.MAX_VALUE);
      assertThatThrownBy(() -> fate(future, database)).isInstanceOf(UnavailableException.class);
    }
  }

  @Test
  void commitsGivenUpAreForgottenWhenTooOldAndHaveABound() {
    CommitIds ids = new CommitIds(0);
    IdentifiedCommit oldest = new IdentifiedCommit(CommitId.next(), 0);
    ids.giveUp(oldest, version -> false);
    for (int i = 1; i < 100_000; i++) {
      ids.giveUp(new IdentifiedCommit(CommitId.next(), i), version -> false);
    }
    IdentifiedCommit last = new IdentifiedCommit(CommitId.next(), 100_000);
    assertThatThrownBy(() -> ids.giveUp(last, version -> false))
        .isInstanceOf(UnavailableException.class);
    assertThat(ids.isGivenUp(oldest.id())).isTrue();
    ids.giveUp(last, version -> version < 1);
    assertThat(ids.isGivenUp(last.id())).isTrue();
    assertThat(ids.isGivenUp(oldest.id())).isFalse();
  }

  /** A clock at which one thread waits within its commit. */
  private static final class SlowClock implements TimeSource {
    final CountDownLatch inside = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);
    volatile @Nullable Thread slow;

    @Override
    public long wallMicros() {
      if (Thread.currentThread().equals(slow)) {
        inside.countDown();
        await(goOn);
      }
      return TimeSource.system().wallMicros();
    }

    @Override
    public long nanos() {
      return TimeSource.system().nanos();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      TimeSource.system().sleep(duration);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException interrupt) {
      throw new AssertionError(interrupt);
    }
  }

  @Test
  void virtualThreadThatAsksAndThenGetsNoCarrierStopsNobody() throws Exception {
    SlowClock clock = new SlowClock();
    AtomicBoolean busy = new AtomicBoolean(true);
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory(o -> o.withTime(clock));
        PromptTransaction slow = begin(database);
        PromptTransaction never = begin(database)) {
      slow.set(A, ONE);
      never.set(A, ONE);
      IdentifiedCommit lost = identify(never, database);
      Thread committing = Thread.ofPlatform().unstarted(slow::commit);
      clock.slow = committing;
      committing.start();
      await(clock.inside);
      Thread asking = Thread.startVirtualThread(() -> fate(lost, database));
      Eventually.eventually("a thread that asks", () -> waits(asking));
      Thread next = Thread.ofPlatform().start(() -> commit(database, Key.utf8("b")));
      Eventually.eventually("a commit in line", () -> waits(next));
      Eventually.pause(Duration.ofMillis(200)); // So that the committer waits for its turn too.
      keepCarriersBusy(busy);
      clock.goOn.countDown();
      boolean ended = next.join(Duration.ofSeconds(10));
      busy.set(false);
      assertThat(ended).as("the next commit has ended").isTrue();
      assertThat(asking.join(Duration.ofSeconds(10))).as("the question is answered").isTrue();
    }
  }

  private static boolean waits(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || thread.getState() == Thread.State.TIMED_WAITING;
  }

  private static void keepCarriersBusy(AtomicBoolean busy) {
    int carriers = Runtime.getRuntime().availableProcessors();
    AtomicInteger running = new AtomicInteger();
    for (int i = 0; i < carriers; i++) {
      Thread.startVirtualThread(
          () -> {
            running.incrementAndGet();
            while (busy.get()) {
              Thread.onSpinWait();
            }
          });
    }
    Eventually.eventually("no carrier is free", () -> running.get() == carriers);
  }

  @Test
  void longSearchKeepsNoVersionForItsWholeLength() {
    AtomicInteger held = new AtomicInteger();
    try (RocksStorage storage = RocksStorage.inMemory(EmbeddedOptions.DEFAULTS)) {
      PublishedVersions versions =
          new PublishedVersions(
              storage,
              1,
              TimeSource.system(),
              Duration.ofSeconds(5),
              () -> new TransactionTooOldException("The version is no longer kept"));
      CommitIds ids = new CommitIds(0);
      IdentifiedCommit last = new IdentifiedCommit(CommitId.next(), 1);
      for (int version = 2; version <= 1_000; version++) {
        BatchBuilder batch = new BatchBuilder(100);
        ids.add(version == 1_000 ? last.id() : CommitId.next());
        ids.writeTo(batch, version);
        ids.endGroup();
        storage.write(batch.toByteArray());
      }
      Supplier<PinnedVersion> latest =
          () -> {
            versions.publish(1_000 + held.incrementAndGet(), false);
            return versions.hold();
          };
      assertThat(ids.find(last, latest)).isEqualTo(Fate.COMMITTED);
      assertThat(held).hasValueGreaterThan(3);
      assertThat(storage.pinnedVersions()).isEqualTo(1);
      versions.close();
    }
  }

  @Test
  void commitsWithoutIdsMakeNobodyForgetThoseWithIds() {
    ManualTime time = ManualTime.standing();
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory(o -> o.withTime(time))) {
      commit(database, A);
      IdentifiedCommit lost;
      try (PromptTransaction never = begin(database)) {
        lost = identify(never, database);
      }
      IdentifiedCommit old = commit(database, A);
      for (int i = 0; i < 10; i++) {
        time.advance(Duration.ofMinutes(20));
        database.run(tx -> tx.set(A, ONE));
      }
      commit(database, A);
      assertThat(fate(old, database)).isEqualTo(Fate.COMMITTED);
      assertThat(fate(lost, database)).isEqualTo(Fate.NOT_COMMITTED);
    }
  }

  /** Whoever is told that a commit did not happen finds that it did not, however they meet. */
  @ParameterizedTest
  @SeedSource(count = 3)
  void questionsAndCommitsThatMeetAgree(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory)) {
      for (int round = 0; round < 300; round++) {
        Key key = Key.utf8("k" + round);
        try (PromptTransaction tx = begin(database)) {
          tx.set(key, ONE);
          IdentifiedCommit commit = identify(tx, database);
          int ahead = random.nextInt(2_000);
          Thread committer =
              Thread.ofPlatform()
                  .start(
                      () -> {
                        spin(2_000 - ahead);
                        try {
                          tx.commit();
                        } catch (ConflictException givenUp) {
                          // The other side was faster.
                        }
                      });
          spin(ahead);
          Fate fate = fate(commit, database);
          committer.join();
          boolean there = database.read(read -> read.get(key)).isPresent();
          assertThat(fate)
              .as("round %d, seed %d", round, seed)
              .isEqualTo(there ? Fate.COMMITTED : Fate.NOT_COMMITTED);
        }
      }
    }
  }

  private static void spin(int times) {
    for (int i = 0; i < times; i++) {
      Thread.onSpinWait();
    }
  }
}
