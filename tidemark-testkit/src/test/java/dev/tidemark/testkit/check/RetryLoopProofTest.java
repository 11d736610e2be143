package dev.tidemark.testkit.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tidemark.kv.CommitUnknownException;
import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionContext.TransactionAction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.TransactionOptions.Idempotency;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.spi.IdentifiedCommit;
import dev.tidemark.kv.spi.commit.CommitId;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.cluster.ClusterLikeDatabase;
import dev.tidemark.testkit.decorate.ForwardingDatabase;
import dev.tidemark.testkit.decorate.ForwardingTransaction;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import dev.tidemark.testkit.internal.Concurrently;
import dev.tidemark.testkit.junit.SeedSource;
import dev.tidemark.testkit.model.ModelDatabase;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** {@code transact} runs its body to effect exactly once, whatever becomes of the commits. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class RetryLoopProofTest {
  private static final Key COUNTER = Key.utf8("counter");
  private static final byte[] ONE = number(1);

  private static byte[] number(long value) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }

  private static long count(ReadTransaction tx) {
    byte[] value = tx.get(COUNTER).orElse(number(0));
    return ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  private static void addBlindly(Transaction tx) {
    tx.mutate(MutationType.ADD, COUNTER, ONE);
  }

  private static void addByReading(Transaction tx) {
    tx.set(COUNTER, number(count(tx) + 1));
  }

  /** Ends with a call that must not concern what the retry loop writes itself. */
  private static void addAndAskForAQuietWrite(Transaction tx) {
    addBlindly(tx);
    tx.nextWriteWithoutConflict();
  }

  private static FaultyDatabase faulty(FaultPlan plan) {
    return FaultyDatabase.over(
        ModelDatabase.open(Limits.DEFAULTS, ManualTime.selfAdvancing()), plan);
  }

  /** Commits until no fault of a plan is left and nothing can be on its way any more. */
  private static void letEverythingArrive(FaultyDatabase db) {
    for (int i = 0; i < 10; i++) {
      try (Transaction tx = db.begin()) {
        tx.set(Key.utf8("other"), ONE);
        tx.commit();
      } catch (ConflictException | CommitUnknownException struckToo) {
        assertThat(db.commits()).isLessThanOrEqualTo(5);
      }
    }
  }

  /** Every order of up to five faults; null stands for a commit that goes well. */
  private static List<Map<Long, Fault>> everyPlan() {
    Fault[] kinds = {
      null,
      Fault.CONFLICT,
      Fault.UNKNOWN_COMMITTED,
      Fault.UNKNOWN_NOT_COMMITTED,
      Fault.UNKNOWN_ON_ITS_WAY
    };
    List<Map<Long, Fault>> plans = new ArrayList<>(List.of(Map.of()));
    for (long commit = 1; commit <= 5; commit++) {
      List<Map<Long, Fault>> longer = new ArrayList<>();
      for (Map<Long, Fault> plan : plans) {
        for (Fault kind : kinds) {
          Map<Long, Fault> next = new TreeMap<>(plan);
          if (kind != null) {
            next.put(commit, kind);
          }
          longer.add(next);
        }
      }
      plans = longer;
    }
    return plans;
  }

  @Test
  void everyOrderOfFaultsLeavesExactlyOneIncrement() {
    List<TransactionAction<RuntimeException>> increments =
        List.of(
            RetryLoopProofTest::addBlindly,
            RetryLoopProofTest::addByReading,
            RetryLoopProofTest::addAndAskForAQuietWrite);
    for (Map<Long, Fault> plan : everyPlan()) {
      for (TransactionAction<RuntimeException> increment : increments) {
        try (FaultyDatabase db = faulty(FaultPlan.at(plan))) {
          db.run(increment);
          assertThat(db.<Long, RuntimeException>read(RetryLoopProofTest::count))
              .as("as soon as run returns, with faults %s", plan)
              .isEqualTo(1);
          letEverythingArrive(db);
          assertThat(db.<Long, RuntimeException>read(RetryLoopProofTest::count))
              .as("after everything has arrived, with faults %s", plan)
              .isEqualTo(1);
        }
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 6)
  void concurrentIncrementsAreNeitherLostNorDoubled(long seed) throws Exception {
    try (FaultyDatabase db = faulty(FaultPlan.random(seed, 0.4, Fault.values()))) {
      AtomicInteger succeeded = new AtomicInteger();
      Concurrently.Task task =
          () -> {
            for (int i = 0; i < 50; i++) {
              TransactionAction<RuntimeException> increment =
                  i % 2 == 0 ? RetryLoopProofTest::addBlindly : RetryLoopProofTest::addByReading;
              try {
                db.with(o -> o.withMaxRetryDelay(Duration.ofMillis(1))).run(increment);
                succeeded.incrementAndGet();
              } catch (DatabaseException failure) {
                assertThat(failure.maybeCommitted()).as("doubt in %s", failure).isFalse();
              }
            }
          };
      Concurrently.run(task, task, task, task);
      for (Fault fault : Fault.values()) {
        assertThat(db.injected(fault)).as("injected %s", fault).isPositive();
      }
      assertThat(succeeded.get()).isGreaterThan(150);
      assertThat(db.<Long, RuntimeException>read(RetryLoopProofTest::count))
          .isEqualTo(succeeded.get());
    }
  }

  @Test
  void withoutAnIdTheDoubtReachesTheCallerAndTheBodyRunsOnce() {
    try (FaultyDatabase db = faulty(FaultPlan.first(Fault.UNKNOWN_COMMITTED))) {
      AtomicInteger attempts = new AtomicInteger();
      DatabaseException failure =
          catchThrowableOfType(
              DatabaseException.class,
              () ->
                  db.with(o -> o.withIdempotency(Idempotency.OFF))
                      .run(
                          tx -> {
                            attempts.incrementAndGet();
                            addBlindly(tx);
                          }));
      assertThat(failure).isInstanceOf(CommitUnknownException.class);
      assertThat(attempts).hasValue(1);
    }
  }

  @Test
  void retryLimitCountsCommitsThatTurnedOutNotToHaveHappened() {
    FaultPlan everyOther =
        commit -> Optional.of(Fault.UNKNOWN_NOT_COMMITTED).filter(f -> commit % 2 == 1);
    for (int limit : new int[] {0, 2}) {
      try (FaultyDatabase db = faulty(everyOther)) {
        AtomicInteger attempts = new AtomicInteger();
        DatabaseException failure =
            catchThrowableOfType(
                DatabaseException.class,
                () ->
                    db.with(o -> o.withRetryLimit(limit))
                        .run(
                            tx -> {
                              attempts.incrementAndGet();
                              addBlindly(tx);
                            }));
        assertThat(failure).isInstanceOf(UnavailableException.class);
        assertThat(failure.maybeCommitted()).isFalse();
        assertThat(attempts).hasValue(limit + 1);
        assertThat(db.<Long, RuntimeException>read(RetryLoopProofTest::count)).isZero();
      }
    }
  }

  /** As after a server was started again, or a fault was injected. */
  @Test
  void shortAttemptsThatAreTooOldAreTriedAgain() {
    Fault[] faults = Collections.nCopies(10, Fault.TOO_OLD).toArray(Fault[]::new);
    try (FaultyDatabase db = faulty(FaultPlan.first(faults))) {
      db.run(RetryLoopProofTest::addBlindly);
      assertThat(db.<Long, RuntimeException>read(RetryLoopProofTest::count)).isEqualTo(1);
    }
  }

  @Test
  void shortAttemptsThatAreAlwaysTooOldComeToAnEnd() {
    AtomicInteger attempts = new AtomicInteger();
    try (FaultyDatabase db = faulty(commit -> Optional.of(Fault.TOO_OLD))) {
      DatabaseException failure =
          catchThrowableOfType(
              DatabaseException.class,
              () ->
                  db.run(
                      tx -> {
                        attempts.incrementAndGet();
                        addBlindly(tx);
                      }));
      assertThat(failure).isInstanceOf(TransactionTooOldException.class);
      assertThat(attempts.get()).isBetween(4, 50);
    }
  }

  @Test
  void doubtIsSettledEvenWhereTheBodyMayRunOnceOnly() {
    FaultPlan plan =
        FaultPlan.first(Fault.UNKNOWN_COMMITTED, Fault.CONFLICT, Fault.UNKNOWN_NOT_COMMITTED);
    try (FaultyDatabase db = faulty(plan)) {
      db.with(o -> o.withRetryLimit(0)).run(RetryLoopProofTest::addBlindly);
      assertThat(db.<Long, RuntimeException>read(RetryLoopProofTest::count)).isEqualTo(1);
    }
    try (FaultyDatabase db =
        faulty(FaultPlan.first(Fault.UNKNOWN_NOT_COMMITTED, Fault.CONFLICT, Fault.CONFLICT))) {
      DatabaseException failure =
          catchThrowableOfType(
              DatabaseException.class,
              () -> db.with(o -> o.withRetryLimit(0)).run(RetryLoopProofTest::addBlindly));
      assertThat(failure).isInstanceOf(UnavailableException.class);
    }
  }

  @Test
  void doubtThatCannotBeSettledEndsAndIsToldHonestly() {
    FaultPlan always = commit -> Optional.of(Fault.UNKNOWN_NOT_COMMITTED);
    try (FaultyDatabase db = faulty(always)) {
      DatabaseException failure =
          catchThrowableOfType(
              DatabaseException.class, () -> db.run(RetryLoopProofTest::addBlindly));
      assertThat(failure).isInstanceOf(CommitUnknownException.class);
      assertThat(failure.getSuppressed()).isNotEmpty();
    }
  }

  /** A database whose first {@code failing} commits meet a full disk. */
  private static final class FullAtFirst extends ForwardingDatabase {
    private final AtomicInteger commits = new AtomicInteger();
    private final int failing;

    FullAtFirst(int failing) {
      super(ModelDatabase.open(Limits.DEFAULTS, ManualTime.selfAdvancing()));
      this.failing = failing;
    }

    @Override
    public boolean commitCanBeUnknown() {
      return true;
    }

    @Override
    public Transaction begin(TransactionOptions options) {
      return new ForwardingTransaction(delegate.begin(options)) {
        @Override
        public void commit() {
          if (delegate.hasWrites() && commits.incrementAndGet() <= failing) {
            throw new StorageException(
                StorageException.Kind.DISK_FULL, "The disk is full", true, null);
          }
          delegate.commit();
        }
      };
    }
  }

  private static StorageException failureOnAFullDisk(FullAtFirst db, AtomicInteger attempts) {
    return catchThrowableOfType(
        StorageException.class,
        () ->
            db.run(
                tx -> {
                  attempts.incrementAndGet();
                  addBlindly(tx);
                }));
  }

  @Test
  void fullDiskIsToldToTheCallerEvenWhereTheCommitIsKnownNotToHaveHappened() {
    try (FullAtFirst db = new FullAtFirst(1)) {
      AtomicInteger attempts = new AtomicInteger();
      StorageException failure = failureOnAFullDisk(db, attempts);
      assertThat(failure.kind()).isEqualTo(StorageException.Kind.DISK_FULL);
      assertThat(failure.maybeCommitted()).isFalse();
      assertThat(attempts).hasValue(1);
      assertThat(db.<Long, RuntimeException>read(RetryLoopProofTest::count)).isZero();
    }
  }

  @Test
  void fullDiskThatKeepsADoubtFromBeingSettledIsAskedOnce() {
    try (FullAtFirst db = new FullAtFirst(Integer.MAX_VALUE)) {
      AtomicInteger attempts = new AtomicInteger();
      StorageException failure = failureOnAFullDisk(db, attempts);
      assertThat(failure.kind()).isEqualTo(StorageException.Kind.DISK_FULL);
      assertThat(failure.maybeCommitted()).isTrue();
      assertThat(attempts).hasValue(1);
      assertThat(db.commits).hasValue(2);
    }
  }

  @Test
  void smallSizeLimitOfTheBodyDoesNotKeepADoubtFromBeingSettled() {
    long size;
    try (FaultyDatabase db = faulty(FaultPlan.none());
        Transaction tx = db.begin()) {
      addBlindly(tx);
      size = tx.size();
    }
    try (FaultyDatabase db = faulty(FaultPlan.first(Fault.UNKNOWN_NOT_COMMITTED))) {
      db.with(o -> o.withSizeLimit(size + 200)).run(RetryLoopProofTest::addBlindly);
      assertThat(db.<Long, RuntimeException>read(RetryLoopProofTest::count)).isEqualTo(1);
    }
  }

  @Test
  void conflictsAfterADoubtAreStillSettled() {
    try (FaultyDatabase db =
        faulty(FaultPlan.first(Fault.UNKNOWN_COMMITTED, Fault.CONFLICT, Fault.CONFLICT))) {
      db.run(RetryLoopProofTest::addByReading);
      assertThat(db.<Long, RuntimeException>read(RetryLoopProofTest::count)).isEqualTo(1);
    }
  }

  @Test
  void oldIdsAreSweptInTheLongRun() {
    ManualTime time = ManualTime.selfAdvancing();
    try (FaultyDatabase db =
        FaultyDatabase.over(ModelDatabase.open(Limits.DEFAULTS, time), FaultPlan.none())) {
      for (int i = 0; i < 3_000; i++) {
        db.run(RetryLoopProofTest::addBlindly);
        time.advance(Duration.ofSeconds(10));
      }
      int rows = db.read(tx -> tx.scan(KeyRange.ALL).list()).size();
      assertThat(rows).as("rows with ids of the last ten minutes").isLessThan(2_000);
    }
  }

  /** In each of them versions jump by as many as pass in a hundred seconds. */
  @Test
  void idsAreKeptForMinutesHoweverOftenAClusterRecovers() {
    ManualTime time = ManualTime.selfAdvancing();
    try (ClusterLikeDatabase db =
        ClusterLikeDatabase.over(time, clock -> ModelDatabase.open(Limits.DEFAULTS, clock))) {
      IdentifiedCommit committed = identified(db, true);
      IdentifiedCommit never = identified(db, false);
      for (int i = 0; i < 2_000; i++) {
        if (i % 100 == 0) {
          db.recover();
        }
        db.run(RetryLoopProofTest::addBlindly);
        time.advance(Duration.ofMillis(100));
      }

      assertThat(fate(committed, db)).isEqualTo(CommitId.Fate.COMMITTED);
      assertThat(fate(never, db)).isEqualTo(CommitId.Fate.NOT_COMMITTED);

      IdentifiedCommit forgotten = identified(db, false);
      time.advance(Duration.ofMinutes(20));
      db.run(RetryLoopProofTest::addBlindly);
      assertThat(fate(forgotten, db)).isEqualTo(CommitId.Fate.UNKNOWN);
    }
  }

  private static IdentifiedCommit identified(Database db, boolean isCommitted) {
    try (Transaction tx = db.begin()) {
      addBlindly(tx);
      IdentifiedCommit commit = IdentifiedCommit.attach(tx, db, CommitId.next());
      if (isCommitted) {
        tx.commit();
      }
      return commit;
    }
  }

  private static CommitId.Fate fate(IdentifiedCommit commit, Database db) {
    try (Transaction tx = db.begin()) {
      return commit.settle(tx, db);
    }
  }

  @Test
  void bodyThatOnlyReadsIsCommittedWithoutAnId() {
    FaultPlan always = commit -> Optional.of(Fault.UNKNOWN_NOT_COMMITTED);
    try (FaultyDatabase db = faulty(always)) {
      assertThat(db.<Long, RuntimeException>transact(RetryLoopProofTest::count)).isZero();
      assertThat(db.commits()).isZero();
      assertThat(db.<Boolean, RuntimeException>read(tx -> tx.scan(KeyRange.ALL).list().isEmpty()))
          .as("the store is empty")
          .isTrue();
    }
  }

  @Test
  void conflictOfEveryAttemptReachesTheCaller() {
    FaultPlan always = commit -> Optional.of(Fault.CONFLICT);
    try (FaultyDatabase db = faulty(always)) {
      DatabaseException failure =
          catchThrowableOfType(
              DatabaseException.class,
              () -> db.with(o -> o.withRetryLimit(5)).run(RetryLoopProofTest::addBlindly));
      assertThat(failure).isInstanceOf(ConflictException.class);
      assertThat(db.commits()).isEqualTo(6);
    }
  }
}
