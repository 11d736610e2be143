package dev.tidemark.foundationdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.Transaction;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.testkit.decorate.ForwardingDatabase;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which failures lead to another attempt, and what one keeps of the attempt before. */
class FacadeRetryTest extends FacadeCase {
  private static FDBException failure(int code) {
    return new FDBException("a failure for the test", code);
  }

  @ParameterizedTest
  @CsvSource({
    "1007, true, false", "1009, true, false", "1020, true, false", "1021, true, true",
    "1025, false, false", "1031, false, false", "1036, false, false", "1037, true, false",
    "1038, true, false", "1039, true, true", "1042, true, false", "1051, true, false",
    "1078, true, false", "1213, true, false", "1223, true, false", "1235, true, false",
    "1242, true, false", "1101, false, false", "2000, false, false", "2017, false, false",
    "2101, false, false", "2102, false, false", "2103, false, false"
  })
  void codeDecidesWhetherToGoOn(int code, boolean retryable, boolean maybeCommitted) {
    FDBException failure = failure(code);
    assertThat(failure.isRetryable()).isEqualTo(retryable);
    assertThat(failure.isMaybeCommitted()).isEqualTo(maybeCommitted);
    assertThat(failure.isRetryableNotCommitted()).isEqualTo(retryable && !maybeCommitted);
    try (Transaction tx = db.createTransaction()) {
      CompletableFuture<Transaction> next = tx.onError(new CompletionException(failure));
      if (retryable) {
        next.join().close();
      } else {
        assertThat(code(next)).isEqualTo(code);
      }
    }
  }

  @Test
  void nextAttemptStartsAfresh() {
    Transaction tx = db.createTransaction();
    tx.set(bytes("a"), bytes("1"));
    long version = tx.getReadVersion().join();
    put("b=2");
    try (Transaction next = tx.onError(failure(1020)).join()) {
      assertThat(next.get(bytes("a")).join()).isNull();
      assertThat(next.getReadVersion().join()).isGreaterThan(version);
      assertThat(code(tx.get(bytes("a")))).isEqualTo(1025);
    }
  }

  @Test
  void transactionThatHasEndedIsNotTriedAgain() {
    Transaction cancelled = db.createTransaction();
    cancelled.cancel();
    assertThat(code(cancelled.onError(failure(1020)))).isEqualTo(1025);
    Transaction closed = db.createTransaction();
    closed.close();
    assertThat(code(closed.onError(failure(1020)))).isEqualTo(1025);
    assertGivenUpAfter(1, Transaction::cancel).hasMessageContaining("cancelled");
  }

  /** Has a body do {@code work} and fail, again and again, until it has been run so often. */
  private AbstractThrowableAssert<?, ?> assertGivenUpAfter(int runs, Consumer<Transaction> work) {
    AtomicInteger attempts = new AtomicInteger();
    Throwable end =
        catchThrowable(
            () ->
                db.run(
                    tx -> {
                      attempts.incrementAndGet();
                      work.accept(tx);
                      throw failure(1020);
                    }));
    assertThat(attempts).hasValue(runs);
    return assertThat(end).hasCauseInstanceOf(FDBException.class);
  }

  @Test
  void failureThatIsNotFoundationDbsIsGivenBack() {
    try (Transaction tx = db.createTransaction()) {
      CompletableFuture<Transaction> next = tx.onError(new IllegalStateException("mine"));
      assertThatThrownBy(next::join).hasCauseInstanceOf(IllegalStateException.class);
      assertThat(tx.get(bytes("a")).join()).isNull();
    }
  }

  @Test
  void retryLimitCountsOverAttempts() {
    db.options().setTransactionRetryLimit(2);
    assertGivenUpAfter(3, tx -> {});
  }

  @Test
  void timeoutCountsOverAttempts() {
    try (Transaction tx = db.createTransaction()) {
      tx.options().setTimeout(1_000);
      time.advance(Duration.ofMillis(900));
      assertThat(tx.get(bytes("a")).join()).isNull();
      try (Transaction next = tx.onError(failure(1020)).join()) {
        time.advance(Duration.ofMillis(200));
        assertThat(code(next.get(bytes("a")))).isEqualTo(1031);
        next.set(bytes("a"), bytes("1"));
        assertThat(code(next.commit())).isEqualTo(1031);
        assertThat(code(next.onError(failure(1020)))).isEqualTo(1031);
      }
    }
  }

  /** A store that notes the timeouts of its transactions. */
  private Database noting(List<Duration> timeouts) {
    return FdbFacade.of(
        new ForwardingDatabase(store) {
          @Override
          public dev.tidemark.kv.Transaction begin(TransactionOptions options) {
            timeouts.add(options.timeout().orElse(Duration.ZERO));
            return super.begin(options);
          }
        });
  }

  /** A store that is far away then ends its waits when the time is over. */
  @Test
  void transactionOfTheStoreHasWhatIsLeftOfTheTimeout() {
    List<Duration> timeouts = new ArrayList<>();
    try (Transaction tx = noting(timeouts).createTransaction()) {
      time.advance(Duration.ofMillis(400));
      tx.options().setTimeout(1_000);
      tx.options().setSnapshotRywDisable();
      tx.set(bytes("a"), bytes("1"));
      time.advance(Duration.ofMillis(100));
      assertThat(tx.snapshot().get(bytes("a")).join()).isNull();
      tx.options().setMaxRetryDelay(0);
      try (Transaction next = tx.onError(failure(1020)).join()) {
        time.advance(Duration.ofMillis(200));
        assertThat(next.get(bytes("a")).join()).isNull();
      }
    }
    assertThat(timeouts)
        .containsExactly(Duration.ofMillis(600), Duration.ofMillis(500), Duration.ofMillis(300));
  }

  @Test
  void timeoutOfTheDatabaseReachesTheStore() {
    List<Duration> timeouts = new ArrayList<>();
    Database noting = noting(timeouts);
    noting.run(tx -> tx.get(bytes("a")).join());
    noting.options().setTransactionTimeout(700);
    noting.run(tx -> tx.get(bytes("a")).join());
    assertThat(timeouts).containsExactly(Duration.ZERO, Duration.ofMillis(700));
  }

  @Test
  void commitThatTimesOutOnItsWayIsNotTriedAgain() {
    AtomicInteger commits = new AtomicInteger();
    Database client =
        InterceptedClient.of(
            db,
            "commit",
            (real, arguments) -> {
              commits.incrementAndGet();
              return CompletableFuture.failedFuture(failure(1031));
            });
    try (FoundationDb far =
        FoundationDb.over(client, FoundationDbOptions.DEFAULTS.withoutSamples(), Limits.DEFAULTS)) {
      CompletableFuture<Boolean> result =
          FdbFacade.of(far)
              .runAsync(
                  tx -> {
                    tx.set(bytes("a"), bytes("1"));
                    return CompletableFuture.completedFuture(true);
                  });
      assertThat(code(result)).isEqualTo(1031);
      assertThat(commits).hasValue(1);
    }
  }

  @Test
  void storeThatIsClosedIsNoticedAtTheFirstUse() {
    store.close();
    try (Transaction tx = db.createTransaction()) {
      assertThat(code(tx.get(bytes("a")))).isEqualTo(2000);
      tx.set(bytes("a"), bytes("1"));
      assertThat(code(tx.commit())).isEqualTo(2000);
    }
  }

  @Test
  void asynchronousLoopCallsBackInTheGivenExecutorAfterEachAttempt() throws Exception {
    try (ExecutorService executor =
        Executors.newSingleThreadExecutor(Thread.ofPlatform().name("callbacks").factory())) {
      AtomicInteger attempts = new AtomicInteger();
      List<String> threads = new CopyOnWriteArrayList<>();
      String result =
          db.runAsync(
                  tx -> {
                    threads.add(Thread.currentThread().getName());
                    assertThat(tx.getExecutor()).isSameAs(executor);
                    tx.set(bytes("a"), bytes("1"));
                    return attempts.incrementAndGet() <= 2
                        ? CompletableFuture.failedFuture(failure(1020))
                        : CompletableFuture.completedFuture("done");
                  },
                  executor)
              .join();
      assertThat(result).isEqualTo("done");
      assertThat(threads)
          .containsExactly(Thread.currentThread().getName(), "callbacks", "callbacks");
    }
  }

  @Test
  void loopThatRunsOutOfTimeEndsAsInFdbJava() {
    db.options().setTransactionTimeout(1_000);
    assertThatThrownBy(
            () ->
                db.run(
                    tx -> {
                      time.advance(Duration.ofMillis(300));
                      throw failure(1020);
                    }))
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            FDBException.class, end -> assertThat(end.getCode()).isEqualTo(1031));
  }

  @Test
  void pausesStayBelowTheLongestOne() {
    db.options().setTransactionMaxRetryDelay(5);
    long begin = time.nanos();
    AtomicInteger attempts = new AtomicInteger();
    db.run(
        tx -> {
          if (attempts.incrementAndGet() <= 20) {
            throw failure(1020);
          }
          return true;
        });
    assertThat(Duration.ofNanos(time.nanos() - begin)).isLessThanOrEqualTo(Duration.ofMillis(100));
  }

  @Test
  void transactionThatReadTooLongAgoIsTooOld() {
    try (Transaction tx = db.createTransaction()) {
      tx.get(bytes("a")).join();
      put("b=1");
      time.advance(Duration.ofSeconds(6));
      assertThat(code(tx.get(bytes("a")))).isEqualTo(1007);
    }
  }

  @Test
  void unknownResultIsRetriedAsByFdbJava() {
    try (FaultyDatabase faulty =
        FaultyDatabase.over(
            EmbeddedDatabase.inMemory(),
            FaultPlan.first(Fault.UNKNOWN_NOT_COMMITTED, Fault.CONFLICT, Fault.TOO_OLD))) {
      Database onFaulty = FdbFacade.of(faulty);
      AtomicInteger attempts = new AtomicInteger();
      onFaulty.run(
          tx -> {
            attempts.incrementAndGet();
            tx.set(bytes("a"), bytes("1"));
            return true;
          });
      assertThat(attempts).hasValue(4);
    }
  }
}
