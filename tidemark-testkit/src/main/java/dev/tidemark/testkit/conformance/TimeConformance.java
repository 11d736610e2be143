package dev.tidemark.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.ScanMode;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.TransactionTimedOutException;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.testkit.ManualTime;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The read window and timeouts. */
abstract class TimeConformance extends ConformanceSuite {
  private static final Duration WITHIN = Duration.ofMillis(4_900);
  private static final Duration REST = Duration.ofMillis(200);

  private final ManualTime time = ManualTime.selfAdvancing();

  TimeConformance(DatabaseConformance engine) {
    super(engine);
  }

  @BeforeEach
  @Override
  void openDatabase() {
    assumeTrue(engine.takesClock(), "The engine takes no clock of a test");
    db = engine.open(Limits.DEFAULTS, time);
    given("a=1 b=2");
  }

  @Test
  void databaseLivesByTheClockItWasGiven() {
    for (int i = 0; i < 3; i++) {
      assertThat(db.time().nanos()).isEqualTo(time.nanos());
      assertThat(db.time().wallMicros()).isEqualTo(time.wallMicros());
      time.advance(Duration.ofHours(1));
    }
  }

  @Test
  void versionCanBeReadForFiveSeconds() {
    try (Transaction tx = db.begin()) {
      tx.get(key("a"));
      time.advance(WITHIN);
      given("a=3");
      assertThat(text(tx.get(key("a")))).isEqualTo("1");
      assertThat(rows(tx.scan(KeyRange.ALL))).isEqualTo("a=1 b=2");
      write(tx, "c=3");
      tx.get(key("b"));
    }
  }

  @Test
  void everyReadAfterTheWindowIsTooOld() {
    try (Transaction tx = db.begin()) {
      tx.get(key("a"));
      time.advance(WITHIN);
      given("b=3");
      time.advance(REST);
      assertFails(TransactionTooOldException.class, 1007, () -> tx.get(key("a")));
      assertFails(TransactionTooOldException.class, 1007, () -> tx.getAll(List.of(key("b"))));
      assertFails(TransactionTooOldException.class, 1007, () -> tx.scan(KeyRange.ALL).list());
      assertFails(TransactionTooOldException.class, 1007, () -> tx.snapshot().get(key("b")));
      assertFails(
          TransactionTooOldException.class,
          1007,
          () -> tx.getKey(dev.tidemark.kv.KeySelector.firstGreaterThan(key("a"))));
    }
  }

  @Test
  void scanThatOutlivesTheWindowIsTooOldAndDoesNotEndSilently() {
    db.run(
        tx -> {
          for (int i = 0; i < 3_000; i++) {
            tx.set(key("k%05d".formatted(i)), new byte[100]);
          }
        });
    try (Transaction tx = db.begin()) {
      Iterator<KeyValue> rows = tx.scan(range("k", "l")).mode(ScanMode.SMALL).iterator();
      rows.next();
      time.advance(WITHIN.plus(REST));
      AtomicInteger read = new AtomicInteger(1);
      assertFails(
          TransactionTooOldException.class,
          1007,
          () -> rows.forEachRemaining(row -> read.incrementAndGet()));
      assertThat(read.get()).isLessThan(3_000);
    }
  }

  @Test
  void commitAfterTheWindowIsTooOldAndWritesNothing() {
    try (Transaction tx = db.begin()) {
      tx.get(key("a"));
      write(tx, "c=3");
      time.advance(WITHIN.plus(REST));
      assertFails(TransactionTooOldException.class, 1007, tx::commit);
    }
    assertThat(stored()).isEqualTo("a=1 b=2");
  }

  @Test
  void commitWithinTheWindowSucceeds() {
    try (Transaction tx = db.begin()) {
      tx.get(key("a"));
      write(tx, "c=3");
      time.advance(WITHIN);
      tx.commit();
    }
    assertThat(stored("c")).isEqualTo("3");
  }

  @Test
  void windowStartsWithTheFirstReadNotWithBegin() {
    try (Transaction tx = db.begin()) {
      time.advance(Duration.ofSeconds(60));
      assertThat(text(tx.get(key("a")))).isEqualTo("1");
      write(tx, "c=3");
      time.advance(WITHIN);
      tx.commit();
    }
  }

  @Test
  void writerThatReadNothingMayTakeItsTime() {
    try (Transaction tx = db.begin()) {
      write(tx, "c=3");
      time.advance(Duration.ofSeconds(60));
      tx.commit();
    }
    assertThat(stored("c")).isEqualTo("3");
  }

  @Test
  void conflictLateInTheWindowIsFound() {
    try (Transaction tx = db.begin()) {
      tx.get(key("a"));
      write(tx, "c=3");
      given("a=2");
      for (int i = 0; i < 9; i++) {
        time.advance(Duration.ofMillis(500));
        given("b=" + i);
      }
      assertFails(ConflictException.class, 1020, tx::commit);
    }
  }

  @Test
  void versionThatWasSetCanBeReadForFiveSecondsAfterItsSuccessor() {
    try (Transaction holder = db.begin()) {
      long version = holder.readVersion();
      time.advance(WITHIN);
      given("a=3");
      try (Transaction late = db.begin()) {
        time.advance(WITHIN);
        late.setReadVersion(version);
        assertThat(text(late.get(key("a")))).isEqualTo("1");
        write(late, "c=3");
        time.advance(REST);
        assertFails(TransactionTooOldException.class, 1007, () -> late.get(key("b")));
      }
    }
  }

  @Test
  void latestVersionCanBeSetHoweverOldItIs() {
    long version = commit(tx -> write(tx, "a=3"));
    time.advance(Duration.ofSeconds(60));
    try (Transaction tx = db.begin()) {
      tx.setReadVersion(version);
      assertThat(text(tx.get(key("a")))).isEqualTo("3");
      write(tx, "c=3");
      time.advance(WITHIN);
      tx.commit();
    }
  }

  @Test
  void readConflictOfAVersionThatWasSetIsFoundForFiveSeconds() {
    long version = commit(tx -> write(tx, "c=1"));
    given("a=2");
    for (int i = 0; i < 9; i++) {
      time.advance(Duration.ofMillis(500));
      given("b=" + i);
    }
    assertFails(ConflictException.class, 1020, () -> writeAfter(version, "a"));
    writeAfter(version, "z");
    time.advance(Duration.ofSeconds(60));
    given("b=9");
    assertFails(TransactionTooOldException.class, 1007, () -> writeAfter(version, "z"));
  }

  /** Writes as if {@code key} had been read at {@code version}. */
  private void writeAfter(long version, String key) {
    try (Transaction tx = db.begin()) {
      tx.setReadVersion(version);
      tx.addReadConflict(key(key));
      write(tx, "done=yes");
      tx.commit();
    }
  }

  @Test
  void otherWindowAppliesWhereItIsSet() {
    assumeTrue(engine.takesLimits(), "The engine takes no limits of a test");
    Limits limits = Limits.DEFAULTS.withReadWindow(Duration.ofSeconds(20));
    try (Database patient = engine.open(limits, time);
        Transaction tx = patient.begin()) {
      tx.get(key("a"));
      time.advance(Duration.ofSeconds(19));
      tx.get(key("a"));
      time.advance(Duration.ofSeconds(2));
      assertFails(TransactionTooOldException.class, 1007, () -> tx.get(key("a")));
    }
  }

  @Test
  void bodyThatAlwaysOutlivesTheWindowEndsWithTooOld() {
    AtomicInteger attempts = new AtomicInteger();
    assertFails(
        TransactionTooOldException.class,
        1007,
        () ->
            db.run(
                tx -> {
                  attempts.incrementAndGet();
                  tx.get(key("a"));
                  time.advance(Duration.ofSeconds(6));
                  tx.get(key("a"));
                }));
    assertThat(attempts.get()).isBetween(2, 10);
  }

  @Test
  void bodyThatOutlivesTheWindowOnceIsRunAgain() {
    AtomicInteger attempts = new AtomicInteger();
    String value =
        db.read(
            tx -> {
              tx.get(key("a"));
              if (attempts.incrementAndGet() == 1) {
                time.advance(Duration.ofSeconds(6));
              }
              return text(tx.get(key("a")));
            });
    assertThat(value).isEqualTo("1");
    assertThat(attempts).hasValue(2);
  }

  @Test
  void timeoutEndsReadsWritesAndTheCommit() {
    TransactionOptions options = TransactionOptions.DEFAULTS.withTimeout(Duration.ofSeconds(2));
    try (Transaction tx = db.begin(options)) {
      tx.get(key("a"));
      write(tx, "c=3");
      time.advance(Duration.ofMillis(1_900));
      tx.get(key("a"));
      time.advance(Duration.ofMillis(200));
      assertFails(TransactionTimedOutException.class, 1031, () -> tx.get(key("a")));
      assertFails(TransactionTimedOutException.class, 1031, () -> tx.scan(KeyRange.ALL).list());
      DatabaseException failure = failure(tx::commit);
      assertThat(failure).isInstanceOf(TransactionTimedOutException.class);
      assertThat(failure.maybeCommitted()).isFalse();
    }
    assertThat(stored("c")).isEqualTo("absent");
  }

  @Test
  void timeoutCountsForAllAttemptsTogether() {
    AtomicInteger attempts = new AtomicInteger();
    assertFails(
        TransactionTimedOutException.class,
        1031,
        () ->
            db.with(o -> o.withTimeout(Duration.ofSeconds(3)).withMaxRetryDelay(Duration.ZERO))
                .run(
                    tx -> {
                      attempts.incrementAndGet();
                      tx.get(key("a"));
                      time.advance(Duration.ofSeconds(1));
                      given("a=x");
                      write(tx, "c=3");
                    }));
    assertThat(attempts.get()).isBetween(2, 3);
    assertThat(stored("c")).isEqualTo("absent");
  }

  @Test
  void versionsNeverGoBackThoughTheClockStands() {
    long last = 0;
    for (int i = 0; i < 100; i++) {
      long version = commit(tx -> write(tx, "c=1"));
      assertThat(version).isGreaterThan(last);
      last = version;
    }
  }
}
