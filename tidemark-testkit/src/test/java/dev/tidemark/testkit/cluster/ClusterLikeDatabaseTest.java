package dev.tidemark.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.kv.UnreadableKeyException;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.model.ModelDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where a cluster differs from an engine of ours, case by case. */
class ClusterLikeDatabaseTest {
  private static final byte[] ONE = {1};
  private static final Key LOG = Key.utf8("log/");

  private final ManualTime time = ManualTime.selfAdvancing();
  private final ClusterLikeDatabase db =
      ClusterLikeDatabase.over(time, clock -> ModelDatabase.open(Limits.DEFAULTS, clock));

  @AfterEach
  void close() {
    db.close();
  }

  private static void append(Transaction tx) {
    byte[] template = LOG.append(new byte[14]).toByteArray();
    template[LOG.size() + 10] = (byte) LOG.size();
    tx.mutate(MutationType.SET_VERSIONSTAMPED_KEY, Key.of(template), ONE);
  }

  private List<KeyValue> log() {
    return db.read(tx -> tx.scan(KeyRange.startingWith(LOG)).list());
  }

  @Test
  void versionsBeginLowAndTheirTimesAreRight() {
    Instant before = time.instant();
    time.advance(Duration.ofSeconds(1));
    long version = db.read(tx -> tx.readVersion());
    assertThat(version).isBetween(1_000_000_000L, 1_001_000_000L);
    db.run(tx -> tx.set(LOG, ONE));
    long later = db.read(tx -> tx.readVersion());
    assertThat(db.timeOf(later)).isBetween(before, time.instant());
    assertThat(db.timeOf(db.versionAt(time.instant()))).isEqualTo(time.instant());
    assertThat(db.commitCanBeUnknown()).isTrue();
  }

  @Test
  void versionsJumpAtARecoveryAndTransactionsBeforeItAreTooOld() {
    db.run(tx -> tx.set(LOG, ONE));
    time.advance(Duration.ofSeconds(1));
    try (Transaction reader = db.begin();
        Transaction writer = db.begin()) {
      long version = reader.readVersion();
      Instant then = db.timeOf(version);
      writer.get(LOG);
      writer.set(Key.utf8("a"), ONE);
      db.recover();
      assertThatThrownBy(() -> reader.get(LOG)).isInstanceOf(TransactionTooOldException.class);
      assertThatThrownBy(writer::commit).isInstanceOf(TransactionTooOldException.class);
      db.run(tx -> tx.set(LOG, ONE));
      assertThat(db.<Long, RuntimeException>read(tx -> tx.readVersion()))
          .isGreaterThan(version + 90_000_000);
      assertThat(db.timeOf(version)).isEqualTo(then);
      assertThat(db.timeOf(version + 50_000_000)).isBeforeOrEqualTo(time.instant());
    }
    KeyRange refused = KeyRange.single(Key.utf8("a"));
    assertThat(db.<List<KeyValue>, RuntimeException>read(tx -> tx.scan(refused).list())).isEmpty();
  }

  @Test
  void recoveriesComeBeforeCommits() {
    try (ClusterLikeDatabase often =
        ClusterLikeDatabase.over(time, clock -> ModelDatabase.open(Limits.DEFAULTS, clock))
            .recoveringEvery(3)) {
      for (int i = 0; i < 10; i++) {
        often.run(
            tx -> {
              byte[] before = tx.get(LOG).orElse(new byte[1]);
              tx.set(LOG, new byte[] {(byte) (before[0] + 1)});
            });
      }
      assertThat(often.read(tx -> tx.get(LOG)).orElseThrow()).containsExactly(10);
      assertThat(often.recoveries()).isPositive();
    }
  }

  @Test
  void clearOfKeysAfterTheReadVersionLeavesAStampedKey() {
    db.run(
        tx -> {
          Versionstamp version = Versionstamp.of(tx.readVersion(), 0xffff, 0xffff);
          append(tx);
          tx.clear(KeyRange.of(LOG.append(version.toByteArray()), LOG.afterPrefix()));
        });
    assertThat(log()).hasSize(1);
    db.run(
        tx -> {
          append(tx);
          tx.clear(KeyRange.startingWith(LOG));
        });
    assertThat(log()).isEmpty();
  }

  @Test
  void clearOfThePlaceByTheReadVersionTakesAStampedKeyAlong() {
    db.run(
        tx -> {
          Versionstamp version = Versionstamp.of(tx.readVersion(), 1, 0);
          append(tx);
          tx.clear(KeyRange.of(LOG, LOG.append(version.toByteArray())));
        });
    assertThat(log()).isEmpty();
  }

  @Test
  void stampedKeyConflictsAlsoQuietly() {
    try (Transaction reader = db.begin()) {
      reader.scan(KeyRange.startingWith(LOG)).list();
      reader.set(Key.utf8("a"), ONE);
      db.run(
          tx -> {
            tx.nextWriteWithoutConflict();
            append(tx);
          });
      assertThatThrownBy(reader::commit).isInstanceOf(ConflictException.class);
    }
  }

  @Test
  void scanThatReadsAheadFailsTheCommitThoughItIsLeft() {
    ClusterLikeDatabase ahead = db.readingAhead();
    ahead.run(tx -> tx.set(Key.utf8("a"), ONE));
    try (Transaction tx = ahead.begin()) {
      append(tx);
      Iterator<KeyValue> rows = tx.scan(KeyRange.ALL).iterator();
      assertThat(rows.next().key()).isEqualTo(Key.utf8("a"));
      assertThatThrownBy(tx::commit).isInstanceOf(UnreadableKeyException.class);
    }
  }

  @Test
  void everyWriteCountsMoreThanItsBytesAndARepeatedOneAgain() {
    try (Transaction tx = db.begin()) {
      tx.set(LOG, new byte[20]);
      long once = tx.size();
      assertThat(once).isGreaterThanOrEqualTo(100);
      tx.set(LOG, new byte[20]);
      assertThat(tx.size()).isGreaterThanOrEqualTo(2 * once);
    }
    try (Transaction tx = db.begin(TransactionOptions.DEFAULTS.withSizeLimit(100))) {
      tx.set(LOG, new byte[50]);
      assertThatThrownBy(tx::commit).isInstanceOf(LimitExceededException.class);
    }
  }

  @Test
  void transactionsTakeAsLongToBeginAsTheyAreTold() {
    ManualTime own = ManualTime.selfAdvancing();
    try (ClusterLikeDatabase slow =
        ClusterLikeDatabase.over(own, clock -> ModelDatabase.open(Limits.DEFAULTS, clock))
            .beginningAfter(Duration.ofMillis(8))) {
      long before = own.nanos();
      slow.begin().close();
      slow.begin().close();
      assertThat(Duration.ofNanos(own.nanos() - before)).isEqualTo(Duration.ofMillis(16));
    }
  }
}
