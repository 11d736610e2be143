package dev.tidemark.kv.spi;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.spi.commit.CommitId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.ThreadLocalRandom;

/*
 * The transaction sets a key of its own and has that key among its read conflicts. To settle, a
 * second transaction reads the key. Present: the first one was committed. Absent: the second one
 * sets the key to "given up" and commits; from then on the first one, should it still be on its way,
 * meets a conflict. So the answer "not committed" stays true, and the body may run again.
 *
 * Keys begin with the read version of their transaction, and are swept some time later. Versions
 * advance by about a million a second on every engine, so KEPT_VERSIONS are ten minutes; but they
 * jump by a hundred million when a cluster recovers. So a key is swept when it is older than KEPT
 * both by versions and by their times, and a transaction that settles trusts an absent key while
 * it is younger than half of that by either: by versions, which need not be asked for, or by times.
 */

/**
 * A key that is written with a commit, so that its outcome can be found out later, on any store.
 */
final class IdempotencyKey {
  static final Key PREFIX =
      Key.of((byte) 0xfd).append("tidemark/idempotency/".getBytes(StandardCharsets.US_ASCII));

  private static final Duration KEPT = Duration.ofMinutes(10);

  private static final long KEPT_VERSIONS = KEPT.toNanos() / 1_000;

  /** One commit in so many checks whether a sweep is due. */
  private static final int LOOK_EVERY = 128;

  /**
   * Between two sweeps of a process. A range that is cleared has an engine put the writes of the
   * last moment in order, so that it should be rare.
   */
  private static final long SWEEP_VERSIONS = 10_000_000;

  /** When this process swept a store last. */
  private static final Map<Database, Long> SWEPT = new WeakHashMap<>();

  private static final byte[] COMMITTED = {1};
  private static final byte[] GIVEN_UP = {2};

  private IdempotencyKey() {}

  private static Key of(CommitId id, long version) {
    ByteBuffer suffix = ByteBuffer.allocate(Long.BYTES + CommitId.BYTES);
    suffix.putLong(version);
    id.writeTo(suffix);
    return PREFIX.append(suffix.array());
  }

  /** Adds the key of {@code id} to {@code tx}, whose conflicts are checked from a version on. */
  static void attach(Transaction tx, Database database, CommitId id, long version) {
    Key key = of(id, version);
    tx.addReadConflict(key);
    // A body may have asked for its next write to cause no conflict. That must not be the id, with
    // which a transaction that settles has to conflict; so it is this one, of nothing.
    tx.clear(KeyRange.of(key, key));
    tx.set(key, COMMITTED);
    if (ThreadLocalRandom.current().nextInt(LOOK_EVERY) == 0 && isTimeToSweep(database, version)) {
      sweep(tx, database, version);
    }
  }

  private static boolean isTimeToSweep(Database database, long version) {
    synchronized (SWEPT) {
      Long last = SWEPT.get(database);
      boolean due = last == null || Math.abs(version - last) >= SWEEP_VERSIONS;
      if (due) {
        SWEPT.put(database, version);
      }
      return due;
    }
  }

  private static void sweep(Transaction tx, Database database, long version) {
    long byTime;
    try {
      byTime = database.versionAt(database.timeOf(version).minus(KEPT));
    } catch (DatabaseException unknown) {
      return; // The commit does not depend on it; a later one sweeps.
    }
    long end = Math.max(0, Math.min(version - KEPT_VERSIONS, byTime));
    byte[] oldest = ByteBuffer.allocate(Long.BYTES).putLong(end).array();
    tx.clear(KeyRange.of(PREFIX, PREFIX.append(oldest)));
  }

  /** Whether a key of {@code version} cannot have been swept before {@code now}. */
  private static boolean isKept(Database database, long version, long now) {
    return now - version <= KEPT_VERSIONS / 2
        || Duration.between(database.timeOf(version), database.timeOf(now))
                .compareTo(KEPT.dividedBy(2))
            <= 0;
  }

  /** Finds out the outcome of a commit with such a key, in {@code tx}, which it commits. */
  static CommitId.Fate settle(Transaction tx, Database database, CommitId id, long version) {
    Key key = of(id, version);
    Optional<byte[]> found = tx.get(key);
    if (found.isPresent()) {
      return found.get()[0] == COMMITTED[0] ? CommitId.Fate.COMMITTED : CommitId.Fate.NOT_COMMITTED;
    }
    if (!isKept(database, version, tx.readVersion())) {
      return CommitId.Fate.UNKNOWN;
    }
    tx.set(key, GIVEN_UP);
    tx.commit();
    return CommitId.Fate.NOT_COMMITTED;
  }
}
