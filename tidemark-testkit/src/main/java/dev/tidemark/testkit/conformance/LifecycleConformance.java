package dev.tidemark.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.ScanMode;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.Watch;
import dev.tidemark.testkit.internal.Concurrently;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Ends of transactions, watches and databases. */
abstract class LifecycleConformance extends ConformanceSuite {
  LifecycleConformance(DatabaseConformance engine) {
    super(engine);
  }

  private static List<ThrowingCallable> everyUse(Transaction tx) {
    return List.of(
        () -> tx.get(key("a")),
        () -> tx.getAll(List.of(key("a"))),
        () -> tx.getKey(KeySelector.firstGreaterThan(key("a"))),
        () -> tx.scan(KeyRange.ALL).list(),
        () -> tx.scan(KeyRange.ALL).reverse().list(),
        () -> tx.snapshot().get(key("a")),
        () -> tx.snapshot().scan(KeyRange.ALL).first(),
        tx::readVersion,
        () -> tx.set(key("a"), bytes("x")),
        () -> tx.clear(key("a")),
        () -> tx.clear(KeyRange.ALL),
        () -> tx.mutate(MutationType.ADD, key("a"), number(1)),
        () -> tx.addReadConflict(key("a")),
        () -> tx.addWriteConflict(key("a")),
        () -> tx.watch(key("a")),
        tx::commit);
  }

  private static void assertEnded(Transaction tx, int code) {
    for (ThrowingCallable use : everyUse(tx)) {
      assertFails(TransactionClosedException.class, code, use);
    }
  }

  private static void assertEnded(Transaction tx) {
    for (ThrowingCallable use : everyUse(tx)) {
      assertFails(TransactionClosedException.class, use);
    }
  }

  @Test
  void transactionThatIsNotCommittedWritesNothing() {
    try (Transaction tx = db.begin()) {
      write(tx, "a=1");
    }
    assertThat(stored()).isEmpty();
  }

  @Test
  void committedTransactionTakesNoFurtherCalls() {
    given("a=1");
    try (Transaction tx = db.begin()) {
      tx.get(key("a"));
      write(tx, "b=1");
      tx.commit();
      assertEnded(tx, 2017);
    }
    assertThat(stored()).isEqualTo("a=1 b=1");
  }

  @Test
  void committedReadOnlyTransactionTakesNoFurtherCalls() {
    try (Transaction tx = db.begin()) {
      tx.get(key("a"));
      tx.commit();
      assertEnded(tx, 2017);
    }
  }

  @Test
  void refusedTransactionTakesNoFurtherCalls() {
    try (Transaction tx = db.begin()) {
      tx.get(key("a"));
      write(tx, "b=1");
      given("a=1");
      assertFails(ConflictException.class, tx::commit);
      assertEnded(tx);
    }
    assertThat(stored()).isEqualTo("a=1");
  }

  @Test
  void closedTransactionTakesNoFurtherCalls() {
    Transaction tx = db.begin();
    tx.get(key("a"));
    tx.close();
    tx.close();
    assertEnded(tx, 1025);
    tx.cancel();
    tx.close();
    assertThat(stored()).isEmpty();
  }

  @Test
  void cancelledTransactionTakesNoFurtherCalls() {
    try (Transaction tx = db.begin()) {
      write(tx, "a=1");
      tx.cancel();
      tx.cancel();
      assertEnded(tx, 1025);
    }
    assertThat(stored()).isEmpty();
  }

  @Test
  void committedTransactionCanBeCancelledAndClosedWithoutEffect() {
    try (Transaction tx = db.begin()) {
      write(tx, "a=1");
      tx.commit();
      tx.cancel();
      assertThat(tx.committedVersion()).isPositive();
    }
    assertThat(stored()).isEqualTo("a=1");
  }

  @Test
  void scanEndsWithItsTransaction() {
    db.run(LifecycleConformance::writeManyRows);
    Transaction tx = db.begin();
    Scan scan = tx.scan(KeyRange.ALL).mode(ScanMode.SMALL);
    Iterator<KeyValue> begun = scan.iterator();
    begun.next();
    tx.close();
    assertFails(TransactionClosedException.class, () -> begun.forEachRemaining(row -> {}));
    assertFails(TransactionClosedException.class, scan::list);
  }

  private static void writeManyRows(Transaction tx) {
    for (int i = 0; i < 3_000; i++) {
      tx.set(key("k%05d".formatted(i)), new byte[100]);
    }
  }

  @Test
  void closedDatabaseTakesNoFurtherCalls() {
    given("a=1");
    db.close();
    db.close();
    assertFails(TransactionClosedException.class, 2000, db::begin);
    assertFails(TransactionClosedException.class, 2000, () -> db.read(tx -> tx.get(key("a"))));
    assertFails(TransactionClosedException.class, 2000, () -> given("a=2"));
    assertFails(TransactionClosedException.class, () -> db.estimatedSize(KeyRange.ALL));
    assertFails(TransactionClosedException.class, () -> db.splitPoints(KeyRange.ALL, 100));
  }

  @Test
  void closedDatabaseEndsItsOpenTransactions() {
    given("a=1");
    try (Transaction fresh = db.begin();
        Transaction reading = db.begin();
        Transaction writing = db.begin()) {
      Iterator<KeyValue> rows = reading.scan(KeyRange.ALL).iterator();
      reading.get(key("a"));
      write(writing, "b=1");
      db.close();
      assertEnded(fresh);
      assertEnded(reading);
      assertEnded(writing);
      assertFails(TransactionClosedException.class, rows::hasNext);
    }
  }

  @Test
  void closedDatabaseEndsItsWatches() throws Exception {
    Watch watch = db.transact(tx -> tx.watch(key("a")));
    var waiter =
        Concurrently.start(
            () -> assertFails(TransactionClosedException.class, () -> watch.await(PATIENCE)));
    waiter.awaitBlocked();
    db.close();
    waiter.join();
    assertThat(watch.fired()).isFalse();
    watch.close();
  }

  @Test
  void closeUnderWorkingThreadsGivesThemExceptionsOnly() throws Exception {
    db.run(LifecycleConformance::writeManyRows);
    CountDownLatch started = new CountDownLatch(4);
    List<Concurrently.Running> workers = new ArrayList<>();
    workers.add(workUntilClosed(started, () -> db.read(tx -> tx.get(key("k00001")))));
    workers.add(workUntilClosed(started, () -> db.read(tx -> tx.scan(KeyRange.ALL).list())));
    workers.add(
        workUntilClosed(started, () -> db.read(tx -> tx.scan(KeyRange.ALL).reverse().list())));
    workers.add(workUntilClosed(started, () -> given("a=1")));
    awaitStarted(started, workers);
    db.close();
    for (Concurrently.Running worker : workers) {
      worker.join();
    }
  }

  /** A worker that fails before it gets going is reported as itself, not as a wait in vain. */
  private static void awaitStarted(CountDownLatch started, List<Concurrently.Running> workers)
      throws Exception {
    if (!started.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      for (Concurrently.Running worker : workers) {
        if (worker.result().isDone()) {
          worker.join();
        }
      }
      throw new AssertionError(started.getCount() + " workers did not start in " + PATIENCE);
    }
  }

  private static Concurrently.Running workUntilClosed(CountDownLatch started, Runnable work) {
    return Concurrently.start(
        () -> {
          work.run();
          started.countDown();
          DatabaseException end = null;
          while (end == null) {
            try {
              work.run();
            } catch (DatabaseException failure) {
              end = failure;
            }
          }
          assertThat(end).isInstanceOf(TransactionClosedException.class);
        });
  }

  @Test
  void closeOfATransactionUnderWorkingThreadsGivesThemExceptionsOnly() throws Exception {
    db.run(LifecycleConformance::writeManyRows);
    for (int i = 0; i < 20; i++) {
      Transaction tx = db.begin();
      CountDownLatch started = new CountDownLatch(3);
      List<Concurrently.Running> workers =
          List.of(
              workUntilClosed(started, () -> tx.get(key("k00001"))),
              workUntilClosed(started, () -> tx.scan(KeyRange.ALL).limit(50).list()),
              workUntilClosed(started, () -> tx.set(key("x"), bytes("1"))));
      awaitStarted(started, workers);
      if (i % 2 == 0) {
        tx.cancel();
      }
      tx.close();
      for (Concurrently.Running worker : workers) {
        worker.join();
      }
    }
    assertThat(stored("x")).isEqualTo("absent");
  }

  @Test
  void cancelThatRacesACommitLeavesAllOrNothing() throws Exception {
    for (int i = 0; i < 100; i++) {
      String name = "k" + i;
      Transaction tx = db.begin();
      write(tx, name + "=1 " + name + "x=1");
      boolean[] committed = new boolean[1];
      Concurrently.run(
          () -> {
            try {
              tx.commit();
              committed[0] = true;
            } catch (TransactionClosedException cancelled) {
              committed[0] = false;
            }
          },
          tx::cancel);
      tx.close();
      assertThat(stored(name)).isEqualTo(committed[0] ? "1" : "absent");
      assertThat(stored(name + "x")).isEqualTo(committed[0] ? "1" : "absent");
    }
  }

  @Test
  void interruptedCommitIsWholeOrWithdrawn() throws Exception {
    for (int i = 0; i < 50; i++) {
      String name = "k" + i;
      Concurrently.run(
          () -> {
            boolean committed;
            try (Transaction tx = db.begin()) {
              write(tx, name + "=1");
              Thread.currentThread().interrupt();
              tx.commit();
              committed = true;
            } catch (InterruptedOperationException withdrawn) {
              committed = false;
            }
            assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();
            assertThat(stored(name)).isEqualTo(committed ? "1" : "absent");
          });
    }
  }

  @Test
  void manyOpenTransactionsAreNoTrouble() {
    given("a=1");
    List<Transaction> open = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      Transaction tx = db.begin();
      tx.get(key("a"));
      open.add(tx);
      given("b=" + i);
    }
    for (int i = 0; i < open.size(); i++) {
      String expected = i == 0 ? "absent" : Integer.toString(i - 1);
      assertThat(text(open.get(i).get(key("b")))).isEqualTo(expected);
    }
    open.forEach(Transaction::close);
  }
}
