package dev.tidemark.testkit.conformance;

import static dev.tidemark.kv.KeySelector.firstGreaterOrEqual;
import static dev.tidemark.kv.KeySelector.lastLessThan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionContext.TransactionAction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.UsageException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sizes and legal keys. */
abstract class LimitConformance extends ConformanceSuite {
  private static final Limits LIMITS = Limits.DEFAULTS;

  LimitConformance(DatabaseConformance engine) {
    super(engine);
  }

  @Test
  void longestKeyAndLongestValueAreStored() {
    Key key = Key.of(new byte[LIMITS.keyBytes()]);
    byte[] value = new byte[LIMITS.valueBytes()];
    db.run(tx -> tx.set(key, value));
    assertThat(value(key)).hasValue(value);
    assertThat(storedRows(KeyRange.ALL)).hasSize(1);
    db.run(tx -> tx.clear(key));
    assertThat(storedRows(KeyRange.ALL)).isEmpty();
  }

  @Test
  void longerKeyIsRefused() {
    Key key = Key.of(new byte[LIMITS.keyBytes() + 1]);
    try (Transaction tx = db.begin()) {
      assertFails(LimitExceededException.class, 2102, () -> tx.set(key, bytes("x")));
      assertFails(
          LimitExceededException.class, 2102, () -> tx.mutate(MutationType.ADD, key, number(1)));
      LimitExceededException failure =
          (LimitExceededException) failure(() -> tx.set(key, bytes("x")));
      assertThat(failure.actual()).isEqualTo(LIMITS.keyBytes() + 1L);
      assertThat(failure.limit()).isEqualTo(LIMITS.keyBytes());
    }
  }

  @Test
  void longerKeyHoldsNothingAndCannotBeWatched() {
    Key key = Key.of(new byte[LIMITS.keyBytes() + 1]);
    try (Transaction tx = db.begin()) {
      assertThat(tx.get(key)).isEmpty();
      assertFails(LimitExceededException.class, 2102, () -> tx.watch(key));
    }
  }

  @Test
  void longerValueIsRefused() {
    byte[] value = new byte[LIMITS.valueBytes() + 1];
    try (Transaction tx = db.begin()) {
      assertFails(LimitExceededException.class, 2103, () -> tx.set(key("a"), value));
      assertFails(
          LimitExceededException.class,
          2103,
          () -> tx.mutate(MutationType.BIT_OR, key("a"), value));
    }
  }

  @Test
  void otherLimitsApplyWhereTheyAreSet() {
    assumeTrue(engine.takesLimits(), "The engine takes no limits of a test");
    Limits limits = LIMITS.withKeyBytes(5).withValueBytes(6).withTransactionBytes(200);
    try (Database small = engine.open(limits, TimeSource.system());
        Transaction tx = small.begin()) {
      tx.set(key("12345"), bytes("123456"));
      assertFails(LimitExceededException.class, 2102, () -> tx.set(key("123456"), bytes("1")));
      assertFails(LimitExceededException.class, 2103, () -> tx.set(key("1"), bytes("1234567")));
      tx.mutate(MutationType.APPEND_IF_FITS, key("12345"), bytes("7"));
      assertThat(text(tx.get(key("12345")))).isEqualTo("123456");
      assertFails(
          UsageException.class,
          2006,
          () -> small.begin(TransactionOptions.DEFAULTS.withSizeLimit(201)));
    }
  }

  /** The size that {@code work} has by the engine's own count. */
  private long sizeOf(TransactionAction<RuntimeException> work) {
    try (Transaction tx = db.begin()) {
      work.accept(tx);
      return tx.size();
    }
  }

  private void commitWithin(long sizeLimit, TransactionAction<RuntimeException> work) {
    try (Transaction tx = db.begin(TransactionOptions.DEFAULTS.withSizeLimit(sizeLimit))) {
      work.accept(tx);
      tx.commit();
    }
  }

  @Test
  void transactionOfExactlyItsSizeLimitCommitsAndOneByteLessIsRefused() {
    given("r=1");
    List<TransactionAction<RuntimeException>> works =
        List.of(
            tx -> tx.set(key("a"), new byte[100]),
            tx -> tx.mutate(MutationType.ADD, key("a"), new byte[100]),
            tx -> tx.clear(KeyRange.of(Key.of(new byte[50]), Key.of(new byte[60]))),
            tx -> {
              tx.set(key("a"), new byte[100]);
              tx.get(key("r"));
              tx.scan(range("r", "s")).list();
            },
            tx -> {
              tx.set(key("a"), new byte[100]);
              tx.addWriteConflict(range("x", "y"));
              tx.addReadConflict(range("x", "y"));
            });
    for (TransactionAction<RuntimeException> work : works) {
      long size = sizeOf(work);
      commitWithin(size, work);
      String before = stored();
      assertFails(LimitExceededException.class, 2101, () -> commitWithin(size - 1, work));
      assertThat(stored()).isEqualTo(before);
    }
  }

  @Test
  void sizeCountsKeysValuesAndConflictRanges() {
    try (Transaction tx = db.begin()) {
      assertThat(tx.size()).isZero();
      tx.set(key("key"), new byte[100]);
      long written = tx.size();
      assertThat(written).isGreaterThanOrEqualTo(103);
      tx.addReadConflict(range("begin", "end"));
      long withRead = tx.size();
      assertThat(withRead).isGreaterThanOrEqualTo(written + 8);
      tx.addWriteConflict(range("begin", "end"));
      assertThat(tx.size()).isGreaterThanOrEqualTo(withRead + 8);
    }
  }

  @Test
  void transactionAboveTheStoresLimitIsRefusedAndTheStoreGoesOn() {
    DatabaseException failure =
        failure(
            () ->
                commit(
                    tx -> {
                      for (int i = 0; i < 110; i++) {
                        tx.set(key("k" + i), new byte[LIMITS.valueBytes()]);
                      }
                    }));
    assertThat(failure).isInstanceOf(LimitExceededException.class);
    assertThat(failure.code()).isEqualTo(2101);
    assertThat(failure.retryable()).isFalse();
    given("a=1");
    assertThat(stored()).isEqualTo("a=1");
  }

  @Test
  void keysOutsideTheLegalRangeAreRefused() {
    Key beyond = Key.END.append((byte) 0);
    try (Transaction tx = db.begin()) {
      for (Key key : List.of(Key.END, beyond, Key.of((byte) 0xff, (byte) 0xff))) {
        assertFails(UsageException.class, 2004, () -> tx.set(key, bytes("x")));
        assertFails(UsageException.class, 2004, () -> tx.clear(key));
        assertFails(UsageException.class, 2004, () -> tx.mutate(MutationType.ADD, key, number(1)));
        assertFails(UsageException.class, 2004, () -> tx.get(key));
        assertFails(UsageException.class, 2004, () -> tx.getAll(List.of(key)));
        assertFails(UsageException.class, 2004, () -> tx.snapshot().get(key));
        assertFails(UsageException.class, 2004, () -> tx.watch(key));
      }
      KeyRange tooWide = KeyRange.of(key("a"), beyond);
      assertFails(UsageException.class, 2004, () -> tx.clear(tooWide));
      assertFails(UsageException.class, 2004, () -> tx.addReadConflict(tooWide));
      assertFails(UsageException.class, 2004, () -> tx.addWriteConflict(tooWide));
      assertFails(UsageException.class, 2004, () -> tx.scan(tooWide).list());
      assertFails(UsageException.class, 2004, () -> tx.getKey(firstGreaterOrEqual(beyond)));
      assertFails(UsageException.class, 2004, () -> tx.getKey(lastLessThan(beyond)));
    }
  }

  @Test
  void invertedRangesAreRefused() {
    assertFails(UsageException.class, 2005, () -> range("b", "a"));
  }

  @Test
  void refusedCallLeavesTheStoreUsable() {
    try (Transaction tx = db.begin()) {
      assertFails(UsageException.class, () -> tx.set(Key.END, bytes("x")));
    }
    given("a=1");
    assertThat(stored()).isEqualTo("a=1");
  }
}
