package dev.tidemark.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.Watch;
import dev.tidemark.testkit.internal.Concurrently;
import dev.tidemark.testkit.junit.SeedSource;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Transactions with a read version that was set, and the times of versions. */
abstract class ReadVersionConformance extends ConformanceSuite {
  private static final long FAR_AHEAD = 1_000_000_000_000L;
  private static final long LONG_GONE = 1;

  ReadVersionConformance(DatabaseConformance engine) {
    super(engine);
  }

  @Test
  void versionThatAnotherTransactionReadsCanBeReadToo() {
    given("a=1 b=1");
    try (Transaction first = db.begin();
        Transaction second = db.begin()) {
      long version = first.readVersion();
      given("a=2 c=2");
      second.setReadVersion(version);
      assertThat(second.readVersion()).isEqualTo(version);
      assertThat(text(second.get(key("a")))).isEqualTo("1");
      assertThat(rows(second.scan(KeyRange.ALL))).isEqualTo("a=1 b=1");
      assertThat(second.snapshot().getAll(List.of(key("c")))).isEmpty();
    }
  }

  @Test
  void versionOutlivesTheTransactionThatItCameFrom() {
    given("a=1");
    try (Transaction second = db.begin()) {
      try (Transaction first = db.begin()) {
        second.setReadVersion(first.readVersion());
        given("a=2");
        second.get(key("b"));
      }
      assertThat(text(second.get(key("a")))).isEqualTo("1");
    }
  }

  @Test
  void versionOfTheLatestCommitCanBeRead() {
    long version = commit(tx -> write(tx, "a=1"));
    try (Transaction tx = db.begin()) {
      tx.setReadVersion(version);
      assertThat(text(tx.get(key("a")))).isEqualTo("1");
      assertThat(tx.readVersion()).isEqualTo(version);
    }
  }

  @Test
  void ownWritesLieOverTheVersionThatWasSet() {
    given("a=1 b=1");
    try (Transaction first = db.begin();
        Transaction second = db.begin()) {
      long version = first.readVersion();
      given("a=2 b=2");
      write(second, "b=own c=own");
      second.setReadVersion(version);
      assertThat(rows(second.scan(KeyRange.ALL))).isEqualTo("a=1 b=own c=own");
    }
  }

  @Test
  void conflictsCountFromTheVersionThatWasSet() {
    given("a=1 b=1");
    try (Transaction first = db.begin()) {
      long version = first.readVersion();
      given("a=2");
      assertThat(commitAfterRead("b", version)).isTrue();
      assertThat(commitAfterRead("a", version)).isFalse();
    }
  }

  private boolean commitAfterRead(String key, long version) {
    try (Transaction tx = db.begin()) {
      tx.setReadVersion(version);
      assertThat(text(tx.get(key(key)))).isEqualTo("1");
      write(tx, "done=yes");
      tx.commit();
      return true;
    } catch (ConflictException conflict) {
      return false;
    }
  }

  @Test
  void readConflictsOfATransactionThatReadsNothingCountFromTheVersionThatWasSet() {
    long version = commit(tx -> write(tx, "a=1 b=1"));
    given("a=2");
    try (Transaction refused = db.begin()) {
      refused.setReadVersion(version);
      refused.addReadConflict(key("a"));
      write(refused, "done=no");
      assertThat(refused.readVersion()).isEqualTo(version);
      assertFails(ConflictException.class, 1020, refused::commit);
    }
    try (Transaction tx = db.begin()) {
      tx.setReadVersion(version);
      tx.addReadConflict(range("b", "c"));
      write(tx, "done=yes");
      tx.commit();
    }
    assertThat(stored("done")).isEqualTo("yes");
  }

  @Test
  void versionThatIsGoneIsTooOldForReadsAndConflicts() {
    given("a=1");
    try (Transaction tx = db.begin()) {
      tx.setReadVersion(LONG_GONE);
      assertFails(TransactionTooOldException.class, 1007, () -> tx.get(key("a")));
      assertFails(TransactionTooOldException.class, 1007, () -> tx.scan(KeyRange.ALL).list());
    }
    try (Transaction tx = db.begin()) {
      tx.setReadVersion(LONG_GONE);
      tx.addReadConflict(key("b"));
      write(tx, "c=1");
      assertFails(TransactionTooOldException.class, 1007, tx::commit);
    }
    assertThat(stored()).isEqualTo("a=1");
  }

  @Test
  void versionThatIsStillToComeIsUnavailable() {
    long future = commit(tx -> write(tx, "a=1")) + FAR_AHEAD;
    try (Transaction tx = db.begin()) {
      tx.setReadVersion(future);
      assertFails(UnavailableException.class, 1009, () -> tx.get(key("a")));
    }
    try (Transaction tx = db.begin()) {
      tx.setReadVersion(future);
      tx.addReadConflict(key("b"));
      write(tx, "c=1");
      assertFails(UnavailableException.class, 1009, tx::commit);
    }
    assertThat(stored()).isEqualTo("a=1");
  }

  @Test
  void readThatFailedForItsVersionFailsTheCommitToo() {
    long future = commit(tx -> write(tx, "a=1")) + FAR_AHEAD;
    for (boolean gone : List.of(true, false)) {
      Class<? extends DatabaseException> type =
          gone ? TransactionTooOldException.class : UnavailableException.class;
      int code = gone ? 1007 : 1009;
      try (Transaction tx = db.begin()) {
        tx.setReadVersion(gone ? LONG_GONE : future);
        write(tx, "b=1");
        assertFails(type, code, () -> tx.snapshot().get(key("a")));
        assertFails(type, code, tx::commit);
      }
    }
    assertThat(stored()).isEqualTo("a=1");
  }

  @Test
  void transactionThatOnlyWritesCommitsAtAVersionThatIsStillToCome() {
    long future = commit(tx -> write(tx, "a=1")) + FAR_AHEAD;
    try (Transaction tx = db.begin()) {
      writeOnly(tx, future);
      assertThat(tx.committedVersion()).isLessThan(future);
    }
    assertThat(stored("c")).isEqualTo("written");
  }

  @Test
  void transactionThatOnlyWritesIsTooOldAtAVersionThatIsGoneOnAClusterAlone() {
    given("a=1");
    try (Transaction tx = db.begin()) {
      if (engine.actsLikeACluster()) {
        assertFails(TransactionTooOldException.class, 1007, () -> writeOnly(tx, LONG_GONE));
      } else {
        writeOnly(tx, LONG_GONE);
      }
    }
    assertThat(stored("c")).isEqualTo(engine.actsLikeACluster() ? "absent" : "written");
  }

  private static void writeOnly(Transaction tx, long version) {
    tx.setReadVersion(version);
    write(tx, "c=written");
    tx.addWriteConflict(key("b"));
    tx.commit();
  }

  @Test
  void versionIsSetOnceAndBeforeTheFirstRead() {
    long version = commit(tx -> write(tx, "a=1"));
    try (Transaction tx = db.begin()) {
      assertFails(UsageException.class, 2011, () -> tx.setReadVersion(0));
      assertFails(UsageException.class, 2011, () -> tx.setReadVersion(-1));
      tx.setReadVersion(version);
      assertFails(UsageException.class, 2010, () -> tx.setReadVersion(version));
      assertThat(text(tx.get(key("a")))).isEqualTo("1");
    }
    try (Transaction tx = db.begin()) {
      tx.get(key("a"));
      assertFails(UsageException.class, 2010, () -> tx.setReadVersion(version));
    }
    try (Transaction tx = db.begin()) {
      tx.readVersion();
      assertFails(UsageException.class, 2010, () -> tx.setReadVersion(version));
    }
  }

  @Test
  void endedTransactionTakesNoVersion() {
    Transaction tx = db.begin();
    tx.close();
    assertFails(TransactionClosedException.class, () -> tx.setReadVersion(1));
  }

  @Test
  void watchOfAnOlderVersionFiresForWhatHasChangedSince() {
    given("a=1");
    try (Transaction first = db.begin();
        Transaction second = db.begin()) {
      second.setReadVersion(first.readVersion());
      given("a=2");
      try (Watch watch = second.watch(key("a"))) {
        second.commit();
        assertThat(watch.await(PATIENCE)).isTrue();
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 4)
  void readOfAnyVersionIsExactOrTooOld(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TreeMap<Long, String> values = new TreeMap<>();
    Map<Long, Transaction> held = new TreeMap<>();
    for (int i = 0; i < 100; i++) {
      String value = Integer.toString(i);
      values.put(commit(tx -> tx.set(key("n"), bytes(value))), value);
      if (random.nextInt(8) == 0) {
        Transaction holder = db.begin();
        held.put(holder.readVersion(), holder);
      }
      List<Long> versions = List.copyOf(values.keySet());
      long wanted = versions.get(random.nextInt(versions.size()));
      wanted += random.nextInt(4) == 0 && wanted < values.lastKey() ? 1 : 0;
      String expected = values.floorEntry(wanted).getValue();
      if (held.containsKey(wanted) || wanted == values.lastKey()) {
        assertThat(valueAt(wanted)).as("seed %d, version %d", seed, wanted).isEqualTo(expected);
      } else {
        assertThat(valueAt(wanted))
            .as("seed %d, version %d", seed, wanted)
            .isIn(expected, "too old");
      }
      if (random.nextInt(16) == 0) {
        new ArrayList<>(held.values()).forEach(Transaction::close);
        held.clear();
      }
    }
    held.values().forEach(Transaction::close);
  }

  private String valueAt(long version) {
    try (Transaction tx = db.begin()) {
      tx.setReadVersion(version);
      return text(tx.get(key("n")));
    } catch (TransactionTooOldException tooOld) {
      return "too old";
    }
  }

  @Test
  void versionThatIsHeldIsFoundWhileCommitsGoOn() throws Exception {
    given("n=0");
    Concurrently.Task writer =
        () -> {
          for (int i = 0; i < 100; i++) {
            given("n=" + i);
          }
        };
    Concurrently.Task reader =
        () -> {
          for (int i = 0; i < 100; i++) {
            try (Transaction holder = db.begin()) {
              String value = text(holder.get(key("n")));
              assertThat(valueAt(holder.readVersion())).isEqualTo(value);
            }
          }
        };
    Concurrently.run(writer, writer, reader, reader);
  }

  @Test
  void timesOfVersionsGrowWithThem() {
    long first = commit(tx -> write(tx, "a=1"));
    long second = commit(tx -> write(tx, "a=2"));
    Instant time = db.timeOf(first);
    assertThat(db.timeOf(second)).isAfterOrEqualTo(time);
    assertThat(db.timeOf(second - FAR_AHEAD)).isBefore(time);
    Instant now = Instant.EPOCH.plus(db.time().wallMicros(), ChronoUnit.MICROS);
    assertThat(Duration.between(time, now).abs()).isLessThan(Duration.ofMinutes(5));
  }

  @Test
  void versionAtATimeIsTheLastThatIsNotLater() {
    Instant time = db.timeOf(commit(tx -> write(tx, "a=1")));
    for (int millis = 0; millis < 2_000; millis += 333) {
      Instant instant = time.plusMillis(millis).plusNanos(millis);
      long version = db.versionAt(instant);
      assertThat(db.timeOf(version)).isBeforeOrEqualTo(instant);
      assertThat(db.timeOf(version + 1)).isAfter(instant);
    }
  }
}
