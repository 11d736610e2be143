package dev.tidemark.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.TransactionContext.TransactionAction;
import dev.tidemark.kv.Watch;
import dev.tidemark.testkit.internal.Concurrently;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Watches. */
abstract class WatchConformance extends ConformanceSuite {
  /** How long a watch that must not fire is observed. */
  private static final Duration MOMENT = Duration.ofMillis(30);

  WatchConformance(DatabaseConformance engine) {
    super(engine);
  }

  private Watch watch(String key) {
    return db.transact(tx -> tx.watch(key(key)));
  }

  private void assertFires(TransactionAction<RuntimeException> change) {
    try (Watch watch = watch("a")) {
      assertThat(watch.fired()).isFalse();
      db.run(change);
      assertThat(watch.await(PATIENCE)).isTrue();
      assertThat(watch.fired()).isTrue();
    }
  }

  private void assertSilent(TransactionAction<RuntimeException> change) {
    try (Watch watch = watch("a")) {
      db.run(change);
      assertThat(watch.await(MOMENT)).isFalse();
      assertThat(watch.fired()).isFalse();
    }
  }

  @Test
  void everyKindOfChangeFires() {
    given("a=1");
    assertFires(tx -> write(tx, "a=2"));
    assertFires(tx -> tx.clear(key("a")));
    assertFires(tx -> write(tx, "a=3"));
    assertFires(tx -> tx.mutate(MutationType.ADD, key("a"), number(1)));
    assertFires(tx -> tx.clear(range("a", "b")));
    assertFires(tx -> tx.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, key("a"), new byte[14]));
  }

  @Test
  void writesThatLeaveTheValueAsItIsDoNotFire() {
    given("a=1 b=1");
    assertSilent(tx -> write(tx, "a=1"));
    assertSilent(tx -> write(tx, "b=2 aa=2"));
    assertSilent(tx -> tx.mutate(MutationType.COMPARE_AND_CLEAR, key("a"), bytes("x")));
    assertSilent(tx -> tx.addWriteConflict(key("a")));
    db.run(tx -> tx.clear(key("a")));
    assertSilent(tx -> tx.clear(dev.tidemark.kv.KeyRange.ALL));
  }

  @Test
  void watchOutlivesItsTransaction() {
    Watch watch;
    try (Transaction tx = db.begin()) {
      watch = tx.watch(key("a"));
      write(tx, "b=1");
      tx.commit();
    }
    given("a=1");
    assertThat(watch.await(PATIENCE)).isTrue();
    watch.close();
  }

  @Test
  void watchComparesWithTheOwnWriteOfItsTransaction() {
    given("a=1");
    try (Watch watch =
        db.transact(
            tx -> {
              write(tx, "a=2");
              return tx.watch(key("a"));
            })) {
      given("a=2");
      assertThat(watch.await(MOMENT)).isFalse();
      given("a=1");
      assertThat(watch.await(PATIENCE)).isTrue();
    }
  }

  @Test
  void changeBetweenReadAndCommitFiresAtOnce() {
    given("a=1");
    try (Transaction tx = db.begin()) {
      Watch watch = tx.watch(key("a"));
      given("a=2");
      tx.commit();
      assertThat(watch.await(PATIENCE)).isTrue();
      watch.close();
    }
  }

  @Test
  void waiterIsWokenByAnotherThread() throws Exception {
    try (Watch watch = watch("a")) {
      var waiter = Concurrently.start(() -> assertThat(watch.await(PATIENCE)).isTrue());
      waiter.awaitBlocked();
      given("a=1");
      waiter.join();
    }
  }

  @Test
  void oneChangeFiresAllWatchesOfAKeyAndOnlyThose() {
    try (Watch first = watch("a");
        Watch second = watch("a");
        Watch other = watch("b")) {
      given("a=1");
      assertThat(first.await(PATIENCE)).isTrue();
      assertThat(second.await(PATIENCE)).isTrue();
      assertThat(other.await(MOMENT)).isFalse();
    }
  }

  @Test
  void metadataVersionCanBeWatched() {
    try (Watch watch = db.transact(tx -> tx.watch(Key.METADATA_VERSION))) {
      db.run(
          tx ->
              tx.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, Key.METADATA_VERSION, new byte[14]));
      assertThat(watch.await(PATIENCE)).isTrue();
    }
  }

  @Test
  void waitEndsAfterItsTimeout() {
    try (Watch watch = watch("a")) {
      assertThat(watch.await(Duration.ZERO)).isFalse();
      assertThat(watch.await(Duration.ofMillis(1))).isFalse();
    }
  }

  @Test
  void closedWatchThrowsAtItsWaiters() throws Exception {
    Watch watch = watch("a");
    var waiter =
        Concurrently.start(
            () -> assertFails(TransactionClosedException.class, () -> watch.await(PATIENCE)));
    waiter.awaitBlocked();
    watch.close();
    watch.close();
    waiter.join();
    assertFails(TransactionClosedException.class, () -> watch.await(PATIENCE));
    given("a=1");
    assertThat(watch.fired()).isFalse();
  }

  @Test
  void watchEndsWithATransactionThatIsNotCommitted() {
    Transaction abandoned = db.begin();
    Watch closed = abandoned.watch(key("a"));
    abandoned.close();
    assertFails(TransactionClosedException.class, () -> closed.await(PATIENCE));
    try (Transaction tx = db.begin()) {
      Watch cancelled = tx.watch(key("a"));
      tx.cancel();
      assertFails(TransactionClosedException.class, () -> cancelled.await(PATIENCE));
    }
  }

  @Test
  void watchEndsWithATransactionThatIsRefused() {
    given("a=1");
    try (Transaction tx = db.begin()) {
      Watch watch = tx.watch(key("b"));
      tx.get(key("a"));
      write(tx, "c=1");
      given("a=2");
      assertFails(ConflictException.class, tx::commit);
      assertFails(TransactionClosedException.class, () -> watch.await(PATIENCE));
    }
  }

  @Test
  void interruptEndsAWait() throws Exception {
    try (Watch watch = watch("a")) {
      var waiter =
          Concurrently.start(
              () -> {
                assertFails(InterruptedOperationException.class, 1101, () -> watch.await(PATIENCE));
                assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();
              });
      waiter.awaitBlocked();
      waiter.thread().interrupt();
      waiter.join();
      given("a=1");
      assertThat(watch.await(PATIENCE)).isTrue();
    }
  }

  @Test
  void interruptBeforeAWaitEndsItToo() throws Exception {
    try (Watch watch = watch("a")) {
      Concurrently.run(
          () -> {
            Thread.currentThread().interrupt();
            assertFails(InterruptedOperationException.class, 1101, () -> watch.await(PATIENCE));
            assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();
          });
    }
  }

  @Test
  void numberOfWatchesIsLimited() {
    assumeTrue(engine.takesLimits(), "The engine takes no limits of a test");
    try (Database small = engine.open(Limits.DEFAULTS.withWatches(2), TimeSource.system())) {
      Watch first = small.transact(tx -> tx.watch(key("a")));
      Watch second = small.transact(tx -> tx.watch(key("b")));
      assertFails(
          LimitExceededException.class, 1032, () -> small.transact(tx -> tx.watch(key("c"))));
      first.close();
      try (Transaction abandoned = small.begin()) {
        abandoned.watch(key("c"));
      }
      Watch third = small.transact(tx -> tx.watch(key("d")));
      small.run(tx -> write(tx, "b=1"));
      assertThat(second.await(PATIENCE)).isTrue();
      Watch fourth = small.transact(tx -> tx.watch(key("e")));
      List.of(second, third, fourth).forEach(Watch::close);
    }
  }
}
