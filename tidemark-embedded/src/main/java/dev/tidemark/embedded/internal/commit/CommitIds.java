package dev.tidemark.embedded.internal.commit;

import dev.tidemark.embedded.internal.files.StorageErrors;
import dev.tidemark.embedded.internal.read.PinnedVersion;
import dev.tidemark.embedded.internal.storage.BatchBuilder;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.spi.IdentifiedCommit;
import dev.tidemark.kv.spi.commit.CommitId;
import dev.tidemark.kv.spi.scan.ScanPortion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * Where ids are kept, and how one is found
 *
 * All ids of a group are one row under the group's version, written with the commits themselves.
 * If a group is written in two batches, the first has the ids of its commits, and the second
 * replaces them by all. A commit has a later version than the one it read, so the search for its
 * row begins there.
 *
 * A missing row means nothing while the commit may still be queued. The first thread that asks
 * gives the id up, in the turn of a group: commits before that turn are written, and a later
 * commit with that id is refused. Once the version that the commit read is too old for any commit,
 * the id can be forgotten. A store that was opened again refuses every commit that read a version
 * before, and so need not remember such ids.
 *
 * RocksDB appends a group to its log, syncs the log, and then shows the group to readers. If the
 * sync fails, the group is in no snapshot, and yet the log may bring it back when the store is
 * opened again. So until then no client learns that a commit did not happen if it may have been in
 * a failed group. Nor does the row of the first batch of such a group prove that a commit
 * happened, until a later group is on the disk, and with it all before.
 */

/**
 * The ids of commits, by which clients find out their outcomes. The committer writes them; any
 * thread may look one up.
 */
public final class CommitIds {
  private static final byte[] PREFIX = {(byte) 0xff, (byte) 0xff, '/', 'i'};

  /** Rows are kept for ten minutes at least. */
  private static final long KEPT_MICROS = 600_000_000;

  private static final long SWEEP_MICROS = 60_000_000;
  private static final int GIVEN_UP_MAX = 100_000;
  private static final int PORTION_ROWS = 256;
  private static final int PORTION_BYTES = 1 << 18;

  /** FoundationDB's code for a store that cannot answer at the moment. */
  private static final int PROCESS_BEHIND = 1037;

  /** The ids of the current group. */
  private final List<CommitId> group = new ArrayList<>();

  /** Ids that were given up, with the versions that their commits read. */
  private final Map<CommitId, Long> givenUp = new HashMap<>();

  /** The same, in the order in which they can be forgotten. */
  private final PriorityQueue<IdentifiedCommit> oldestGivenUp =
      new PriorityQueue<>(Comparator.comparingLong(IdentifiedCommit::version));

  /** The version of the last group with ids. */
  private long lastVersion;

  private long lastSweep;

  /** Rows of versions below this one may have been removed. */
  private volatile long sweptTo;

  /** The last group that, as far as is known, was not written or only in part. */
  private volatile @Nullable Failed failed;

  /** Rows of this version and later ones may not be on the disk. */
  private volatile long unsafeFrom = Long.MAX_VALUE;

  private record Failed(long version, StorageException.Kind kind) {}

  /** The ids in a store whose last version is {@code storedVersion}. */
  CommitIds(long storedVersion) {
    lastVersion = storedVersion;
    sweptTo = storedVersion - KEPT_MICROS;
  }

  /** Notes that the current group has a commit with {@code id}. */
  void add(CommitId id) {
    group.add(id);
  }

  /**
   * Adds to {@code batch} the ids of the group so far and, now and then, the removal of old ones.
   */
  void writeTo(BatchBuilder batch, long version) {
    if (group.isEmpty()) {
      return;
    }
    ByteBuffer all = ByteBuffer.allocate(group.size() * CommitId.BYTES);
    group.forEach(id -> id.writeTo(all));
    batch.put(key(version), all.array());
    if (version - lastSweep >= SWEEP_MICROS) {
      // By the previous group with ids: after a long silence its clients may still ask for it.
      sweptTo = lastVersion - KEPT_MICROS;
      batch.deleteRange(PREFIX, key(sweptTo));
      lastSweep = version;
    }
  }

  /** Notes that the current group, of {@code version}, is on the disk, and all before it. */
  void written(long version) {
    unsafeFrom = Long.MAX_VALUE;
    if (!group.isEmpty()) {
      lastVersion = version;
    }
  }

  /** Notes that the outcome of the group of {@code version} is unknown. */
  void failed(long version, StorageException.Kind why) {
    unsafeFrom = Math.min(unsafeFrom, version);
    failed = new Failed(version, why);
  }

  /** Ends the current group. */
  void endGroup() {
    group.clear();
  }

  boolean isGivenUp(CommitId id) {
    return !givenUp.isEmpty() && givenUp.containsKey(id);
  }

  /**
   * Refuses {@code commit} from now on, for as long as it could otherwise still happen.
   *
   * @throws UnavailableException if too many are refused already
   */
  void giveUp(IdentifiedCommit commit, LongPredicate isTooOld) {
    forgetGivenUp(isTooOld);
    Long before = givenUp.get(commit.id());
    boolean known = before != null && before >= commit.version();
    if (known || isTooOld.test(commit.version())) {
      return;
    }
    if (oldestGivenUp.size() >= GIVEN_UP_MAX) {
      throw new UnavailableException(
          PROCESS_BEHIND,
          "%,d commits of the last seconds are in doubt; ask again later".formatted(GIVEN_UP_MAX),
          null);
    }
    givenUp.put(commit.id(), commit.version());
    oldestGivenUp.add(commit);
  }

  private void forgetGivenUp(LongPredicate isTooOld) {
    IdentifiedCommit oldest = oldestGivenUp.peek();
    while (oldest != null && isTooOld.test(oldest.version())) {
      givenUp.remove(oldest.id(), oldest.version());
      oldestGivenUp.poll();
      oldest = oldestGivenUp.peek();
    }
  }

  /**
   * What became of {@code commit}, which has been given up. Every portion is read at the latest
   * version, which {@code holdLatest} gives, because one version is not kept for a long scan.
   *
   * @throws StorageException if it is unknown because the disk failed
   */
  public CommitId.Fate find(IdentifiedCommit commit, Supplier<PinnedVersion> holdLatest) {
    byte[] from = key(commit.version() + 1);
    boolean more = true;
    while (more) {
      ScanPortion portion = portion(from, holdLatest);
      for (KeyValue row : portion.rows()) {
        if (contains(row.value(), commit.id())) {
          checkWritten(row.key());
          return CommitId.Fate.COMMITTED;
        }
      }
      more = portion.more();
      from = more ? portion.rows().getLast().key().next().unsafeBytes() : from;
    }
    // Last of all, because rows may have been removed while others were read.
    if (commit.version() < sweptTo) {
      return CommitId.Fate.UNKNOWN;
    }
    Failed last = failed;
    if (last != null && commit.version() < last.version()) {
      throw inDoubt(last);
    }
    return CommitId.Fate.NOT_COMMITTED;
  }

  private static ScanPortion portion(byte[] from, Supplier<PinnedVersion> holdLatest) {
    PinnedVersion latest = holdLatest.get();
    try {
      return latest.scanStored(from, key(Long.MAX_VALUE), PORTION_ROWS, PORTION_BYTES);
    } finally {
      latest.drop();
    }
  }

  private void checkWritten(Key row) {
    Failed last = failed;
    if (last != null && version(row) >= unsafeFrom) {
      throw inDoubt(last);
    }
  }

  private static StorageException inDoubt(Failed group) {
    return new StorageException(
        group.kind(),
        "What became of the commit is not known before the database is opened again, because a"
            + " write of that time failed. "
            + StorageErrors.remedy(group.kind()),
        true,
        null);
  }

  private static boolean contains(byte[] ids, CommitId id) {
    ByteBuffer left = ByteBuffer.wrap(ids);
    while (left.hasRemaining()) {
      if (CommitId.readFrom(left).equals(id)) {
        return true;
      }
    }
    return false;
  }

  private static long version(Key row) {
    return ByteBuffer.wrap(row.unsafeBytes()).getLong(PREFIX.length);
  }

  private static byte[] key(long version) {
    return ByteBuffer.allocate(PREFIX.length + Long.BYTES)
        .put(PREFIX)
        .putLong(Math.max(0, version))
        .array();
  }
}
