package dev.tidemark.embedded.internal;

import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.internal.CommitId;
import dev.tidemark.kv.internal.IdentifiedCommit;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;

/*
 * Where ids are kept, and how one is found
 *
 * All ids of a group are one row under the group's version, written with the commits themselves. If
 * a group is written in two batches, the first has the ids of its commits and the second replaces
 * them by all. A commit comes after the version that it read, so that its row is looked for from
 * there on.
 *
 * That there is no such row means nothing while the commit may still be in line. Whoever asks first
 * gives the id up, in the turn of a group: what was before that is written, and what comes later is
 * refused. Once the version that it read is too old for any commit, this can be forgotten. A store
 * that is opened anew refuses everything that read a version before, and so need not remember it.
 */

/**
 * The ids of commits, by which clients find out what became of them. The committer writes them, and
 * any thread may look for one.
 */
final class CommitIds {
  private static final byte[] PREFIX = {(byte) 0xff, (byte) 0xff, '/', 'i'};

  /** Rows are kept for ten minutes at least. */
  private static final long KEPT_MICROS = 600_000_000;

  private static final long SWEEP_MICROS = 60_000_000;
  private static final int PORTION_ROWS = 256;
  private static final int PORTION_BYTES = 1 << 18;

  /** Those of the group at hand. */
  private final List<CommitId> group = new ArrayList<>();

  /** With the versions that they read. */
  private final Map<CommitId, Long> givenUp = new HashMap<>();

  private long lastVersion;
  private long lastSweep;

  /** Rows of versions below this one may have been removed. */
  private volatile long sweptTo;

  /** The ids in a store whose last version is {@code storedVersion}. */
  CommitIds(long storedVersion) {
    lastVersion = storedVersion;
    sweptTo = storedVersion - KEPT_MICROS;
  }

  /** Notes that the group at hand has a commit with {@code id}. */
  void add(CommitId id) {
    group.add(id);
  }

  /** Has {@code batch} store the ids of the group so far, and remove old ones now and then. */
  void writeTo(BatchBuilder batch, long version) {
    if (group.isEmpty()) {
      return;
    }
    ByteBuffer all = ByteBuffer.allocate(group.size() * CommitId.BYTES);
    group.forEach(id -> id.writeTo(all));
    batch.put(key(version), all.array());
    if (version - lastSweep >= SWEEP_MICROS) {
      // By the group before: after a long silence, those who read its version may still ask.
      sweptTo = lastVersion - KEPT_MICROS;
      batch.deleteRange(PREFIX, key(sweptTo));
      lastSweep = version;
    }
  }

  /** Ends the group of {@code version}. */
  void endGroup(long version) {
    group.clear();
    lastVersion = version;
  }

  boolean isGivenUp(CommitId id) {
    return !givenUp.isEmpty() && givenUp.containsKey(id);
  }

  /** Has {@code commit} refused from now on, for as long as it could come without that. */
  void giveUp(IdentifiedCommit commit, LongPredicate isTooOld) {
    givenUp.values().removeIf(isTooOld::test);
    if (!isTooOld.test(commit.version())) {
      givenUp.put(commit.id(), commit.version());
    }
  }

  /** What became of {@code commit}, which was given up before {@code latest} was the latest. */
  CommitId.Fate find(IdentifiedCommit commit, PinnedVersion latest) {
    byte[] from = key(commit.version() + 1);
    boolean more = true;
    while (more) {
      Scan.Portion portion =
          latest.scanStored(from, key(Long.MAX_VALUE), PORTION_ROWS, PORTION_BYTES);
      for (KeyValue row : portion.rows()) {
        if (contains(row.value(), commit.id())) {
          return CommitId.Fate.COMMITTED;
        }
      }
      more = portion.more();
      from = more ? portion.rows().getLast().key().next().unsafeBytes() : from;
    }
    return commit.version() < sweptTo ? CommitId.Fate.UNKNOWN : CommitId.Fate.NOT_COMMITTED;
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

  private static byte[] key(long version) {
    return ByteBuffer.allocate(PREFIX.length + Long.BYTES)
        .put(PREFIX)
        .putLong(Math.max(0, version))
        .array();
  }
}
