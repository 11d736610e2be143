package dev.tidemark.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.ReadContext;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionContext;
import dev.tidemark.testkit.internal.Concurrently;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** {@code transact}, {@code run} and {@code read}. */
abstract class RetryConformance extends ConformanceSuite {
  RetryConformance(DatabaseConformance engine) {
    super(engine);
  }

  /** Reads what another transaction then changes, so that the commit of {@code tx} is refused. */
  private void provokeConflict(Transaction tx) {
    tx.get(key("a"));
    db.run(other -> other.mutate(dev.tidemark.kv.MutationType.ADD, key("a"), number(1)));
    tx.set(key("b"), bytes("x"));
  }

  @Test
  void resultOfTheBodyIsReturnedAndItsWritesAreCommitted() {
    String result =
        db.transact(
            tx -> {
              write(tx, "a=1");
              return "done";
            });
    assertThat(result).isEqualTo("done");
    assertThat(stored()).isEqualTo("a=1");
  }

  @Test
  void bodyRunsAgainAfterConflicts() {
    AtomicInteger attempts = new AtomicInteger();
    db.run(
        tx -> {
          tx.get(key("a"));
          if (attempts.incrementAndGet() < 4) {
            provokeConflict(tx);
          }
          tx.set(key("attempt"), bytes(attempts.toString()));
        });
    assertThat(attempts).hasValue(4);
    assertThat(stored("attempt")).isEqualTo("4");
  }

  @Test
  void retryLimitEndsTheAttempts() {
    for (int limit : new int[] {0, 1, 3}) {
      AtomicInteger attempts = new AtomicInteger();
      assertFails(
          ConflictException.class,
          1020,
          () ->
              db.with(o -> o.withRetryLimit(limit).withMaxRetryDelay(Duration.ZERO))
                  .run(
                      tx -> {
                        attempts.incrementAndGet();
                        provokeConflict(tx);
                      }));
      assertThat(attempts).hasValue(limit + 1);
    }
    assertThat(stored("b")).isEqualTo("absent");
  }

  @Test
  void exceptionOfTheBodyPassesThroughAndNothingIsWritten() {
    IOException checked = new IOException("from the body");
    assertThatThrownBy(
            () ->
                db.run(
                    tx -> {
                      write(tx, "a=1");
                      throw checked;
                    }))
        .isSameAs(checked);
    IllegalStateException unchecked = new IllegalStateException("from the body");
    assertThatThrownBy(
            () ->
                db.transact(
                    tx -> {
                      write(tx, "a=1");
                      throw unchecked;
                    }))
        .isSameAs(unchecked);
    assertThatThrownBy(
            () ->
                db.read(
                    tx -> {
                      throw checked;
                    }))
        .isSameAs(checked);
    assertThat(stored()).isEmpty();
  }

  @Test
  void bodyOfATransactionContextJoinsTheTransaction() {
    db.run(
        tx -> {
          write(tx, "a=1");
          addOne(tx);
          assertThat(count(tx)).isEqualTo("2");
        });
    assertThat(stored("a")).isEqualTo("2");
    assertThat(count(db)).isEqualTo("2");
    try (Transaction tx = db.begin()) {
      addOne(tx);
      assertThat(count(tx)).isEqualTo("3");
      assertThat(count(tx.snapshot())).isEqualTo("3");
      assertThat(stored("a")).as("before the owner commits").isEqualTo("2");
    }
    assertThat(stored("a")).as("after the owner gave up").isEqualTo("2");
    addOne(db);
    assertThat(stored("a")).isEqualTo("3");
  }

  private static void addOne(TransactionContext context) {
    context.run(
        tx -> {
          int value = Integer.parseInt(text(tx.get(key("a"))));
          tx.set(key("a"), bytes(Integer.toString(value + 1)));
        });
  }

  private static String count(ReadContext context) {
    return context.read(tx -> text(tx.get(key("a"))));
  }

  @Test
  void readThatJoinsATransactionCountsAmongItsReads() {
    given("a=1");
    try (Transaction tx = db.begin()) {
      assertThat(count(tx)).isEqualTo("1");
      write(tx, "b=1");
      given("a=2");
      assertFails(ConflictException.class, 1020, tx::commit);
    }
  }

  @Test
  void interruptBetweenAttemptsEndsThem() throws Exception {
    Concurrently.run(
        () -> {
          AtomicInteger attempts = new AtomicInteger();
          assertFails(
              InterruptedOperationException.class,
              1101,
              () ->
                  db.run(
                      tx -> {
                        attempts.incrementAndGet();
                        provokeConflict(tx);
                        Thread.currentThread().interrupt();
                      }));
          assertThat(attempts).hasValue(1);
          assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();
        });
    assertThat(stored("b")).isEqualTo("absent");
  }

  @Test
  void manyThreadsOnOneKeyAllSucceed() throws Exception {
    given("a=0");
    Concurrently.Task task =
        () -> {
          for (int i = 0; i < 25; i++) {
            addOne(db);
          }
        };
    Concurrently.run(task, task, task, task);
    assertThat(stored("a")).isEqualTo("100");
  }
}
