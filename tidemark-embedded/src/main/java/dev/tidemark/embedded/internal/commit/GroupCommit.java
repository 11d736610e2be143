package dev.tidemark.embedded.internal.commit;

import dev.tidemark.embedded.internal.cache.Changes;
import dev.tidemark.embedded.internal.common.EngineCounters;
import dev.tidemark.embedded.internal.resolve.Footprint;
import dev.tidemark.embedded.internal.resolve.Resolver;
import dev.tidemark.embedded.internal.storage.BatchBuilder;
import dev.tidemark.embedded.internal.storage.PublishedVersions;
import dev.tidemark.embedded.internal.storage.RocksStorage;
import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.kv.spi.IdentifiedCommit;
import dev.tidemark.kv.spi.commit.Commit;
import dev.tidemark.kv.spi.commit.CommitId;
import dev.tidemark.kv.spi.commit.StampTemplate;
import dev.tidemark.kv.spi.commit.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/*
 * A group gets one version. Its commits are checked in order: a commit that read something written
 * since fails; the others join one batch and the memory of the resolver, so that later commits of
 * the group are checked against them too. One synced write makes the batch durable. Then the
 * version is published, and only then are the commits acknowledged.
 *
 * A mutation needs the value of its key at this very place in the order. The client looked the
 * value up at an earlier version; if the key has not been written since, that value is right. If
 * an earlier mutation of this group made the value, `mutated` has it. Otherwise the commits
 * gathered so far are written and the value is read again. They are synced too: of two records
 * that were not synced, a machine that goes down may keep only the second, which LogCheck would
 * report as damage.
 *
 * The results of mutations join the batch last: a counter that all commits of a group add to is
 * written once. Before a range is cleared they are put into the batch, because the range may
 * contain them; a single write of the same key replaces them.
 *
 * The version is a time (VersionClock). Every batch stores it, so that it survives a restart.
 */

/** Carries out groups of commits, one at a time. Not thread-safe. */
public final class GroupCommit {
  private static final long WINDOW_SLACK_MICROS = 1_000_000;
  private static final long REMEMBERED_BYTES_MAX =
      Math.min(Runtime.getRuntime().maxMemory() / 8, 512L << 20);

  private final RocksStorage storage;
  private final PublishedVersions versions;
  private final WatchTable watches;
  private final EngineCounters counters;
  private final Limits limits;
  private final VersionClock clock;
  private final Resolver resolver;
  private final Changes changes;
  private final BatchBuilder batch = new BatchBuilder(1 << 16);
  private final MutatedValues mutated = new MutatedValues();
  private final CommitIds ids;
  private long version;

  /** Later versions are greater; set by any thread. */
  private volatile long behind;

  /** Whether the current group has written the metadata version. */
  private boolean newMetadata;

  public GroupCommit(
      RocksStorage storage,
      long lastVersion,
      PublishedVersions versions,
      WatchTable watches,
      EngineCounters counters,
      Limits limits,
      TimeSource time,
      Consumer<byte[]> cleared) {
    this.storage = storage;
    this.changes = new Changes(storage.rows(), storage.scans(), storage.gaps(), cleared);
    this.versions = versions;
    this.watches = watches;
    this.counters = counters;
    this.limits = limits;
    this.clock = new VersionClock(time, lastVersion);
    this.ids = new CommitIds(storage.storedVersion());
    this.resolver = new Resolver(lastVersion, REMEMBERED_BYTES_MAX);
    this.version = lastVersion;
  }

  /** Gives every commit of {@code group} its result. */
  void carryOut(List<PendingCommit> group) {
    long start = System.nanoTime();
    version = clock.next(behind);
    int committed;
    try {
      committed = gather(group);
      if (committed > 0) {
        writeBatch();
        ids.written(version);
        publish(newMetadata, true);
      }
    } catch (StorageException failure) {
      failAll(group, failure);
      return;
    } catch (RuntimeException | Error failure) {
      failAll(
          group,
          new StorageException(
              StorageException.Kind.IO_ERROR, "A commit failed: " + failure, true, failure));
      return;
    } finally {
      batch.reset();
      mutated.clear();
      ids.endGroup();
      newMetadata = false;
      forgetOldWrites();
    }
    fireWatches(group);
    counters.group(group.size(), committed, System.nanoTime() - start);
  }

  /** Makes later groups get versions greater than {@code reached}. May be called by any thread. */
  void advance(long reached) {
    behind = reached;
  }

  private void forgetOldWrites() {
    long window = limits.readWindow().toNanos() / 1_000 + WINDOW_SLACK_MICROS;
    resolver.forgetBefore(version - window);
  }

  /**
   * Refuses a group that could not be written, or only in part. The resolver has its writes
   * already; publishing its version keeps them from being conflicts for ever.
   */
  private void failAll(List<PendingCommit> group, StorageException why) {
    for (PendingCommit commit : group) {
      if (!commit.failed()) {
        commit.fail(() -> new StorageException(why.kind(), text(why), true, why));
      }
    }
    ids.failed(version, why.kind()); // Before any transaction reads what was written of it.
    publish(true, false);
    fireWatches(group); // The part that was written can be read now.
  }

  private void publish(boolean maybeNewMetadata, boolean carriedOut) {
    changes.tell(version, carriedOut);
    versions.publish(version, maybeNewMetadata);
  }

  /** Gives {@code commit} up: if it has not happened, it no longer can. */
  void giveUp(IdentifiedCommit commit) {
    ids.giveUp(commit, resolver::isTooOld);
  }

  /** The ids of commits; any thread may look one up. */
  CommitIds ids() {
    return ids;
  }

  private static String text(Throwable failure) {
    return String.valueOf(failure.getMessage());
  }

  private int gather(List<PendingCommit> group) {
    int committed = 0;
    for (PendingCommit commit : group) {
      if (accepts(commit) && add(commit, committed)) {
        commit.succeed(version, committed);
        committed++;
      }
    }
    return committed;
  }

  /** Whether nothing that the commit read has been written since. */
  private boolean accepts(PendingCommit commit) {
    CommitId id = commit.prepared.id;
    if (id != null && ids.isGivenUp(id)) {
      commit.fail(
          () ->
              new ConflictException(
                  "The client has been told that this commit did not happen, so it must not"));
      return false;
    }
    Footprint footprint = commit.prepared.footprint;
    long read = footprint.readVersion;
    if (read < 0) {
      return true;
    }
    if (resolver.isTooOld(read)) {
      counters.tooOld();
      commit.fail(
          () ->
              new TransactionTooOldException(
                  "The transaction read version %d, too long ago to commit; make it shorter"
                      .formatted(read)));
      return false;
    }
    if (resolver.conflicts(footprint)) {
      counters.conflict();
      commit.fail(
          () ->
              new ConflictException(
                  ("Another commit has changed what this transaction read at version %d; nothing"
                          + " was written")
                      .formatted(read)));
      return false;
    }
    return true;
  }

  /** Adds a commit to the group; false if a value that it needs cannot be read. */
  private boolean add(PendingCommit pending, int number) {
    PreparedCommit commit = pending.prepared;
    // First of all, because it may write out the batch: a commit is never spread over two.
    List<Optional<byte[]>> mutatedValues = new ArrayList<>(commit.mutations.size());
    try {
      for (PreparedCommit.Mutation mutation : commit.mutations) {
        mutatedValues.add(valueAfter(mutation, commit.lookupVersion, number));
      }
    } catch (StorageException unreadable) {
      if (unreadable.maybeCommitted()) {
        throw unreadable;
      }
      pending.fail(() -> unreadable);
      return false;
    }
    if (!commit.clears.isEmpty()) {
      mutated.writeTo(batch, changes);
    }
    for (PreparedCommit.RangeClear clear : commit.clears) {
      addClear(clear, commit.lookupVersion);
    }
    batch.append(commit.plainWrites);
    for (int i = 0; i < commit.setKeys.size(); i++) {
      changes.written(commit.setKeys.get(i).unsafeBytes(), commit.setValues.get(i));
    }
    commit.clearedKeys.forEach(key -> changes.cleared(key.unsafeBytes()));
    if (!mutated.isEmpty()) {
      forgetMutated(commit);
    }
    for (int i = 0; i < mutatedValues.size(); i++) {
      Key key = commit.mutations.get(i).key();
      mutated.put(key, mutatedValues.get(i));
      newMetadata |= key.equals(Key.METADATA_VERSION);
    }
    if (commit.id != null) {
      ids.add(commit.id);
    }
    resolver.add(version, commit.footprint);
    for (Commit.StampedSet set : commit.stampedSets) {
      addStamped(set, number);
    }
    return true;
  }

  /** Adds a set of the commit that joined the resolver's memory last. */
  private void addStamped(Commit.StampedSet set, int number) {
    byte[] key = set.key().fill(version, number);
    Key made = Key.wrap(key);
    if (!set.isCleared(made)) {
      batch.put(key, set.value());
      changes.written(key, set.value());
      if (!mutated.isEmpty()) {
        mutated.forget(made);
      }
    }
    resolver.add(version, key, set.quiet());
  }

  private void addClear(PreparedCommit.RangeClear clear, long lookupVersion) {
    List<byte[]> keys = clear.keys();
    if (keys == null
        || resolver.isTooOld(lookupVersion)
        || resolver.writtenSince(lookupVersion, clear.begin(), clear.end())) {
      batch.deleteRange(clear.begin(), clear.end());
      changes.cleared(clear.begin(), clear.end());
    } else {
      keys.forEach(batch::delete);
      changes.cleared(clear.begin(), clear.end(), keys);
    }
  }

  private Optional<byte[]> valueAfter(
      PreparedCommit.Mutation mutation, long lookupVersion, int number) {
    Write.Mutate write = mutation.write();
    if (write.isVersionstamped()) {
      StampTemplate template = StampTemplate.parse(write.first().operand());
      byte[] stamped = template.fill(version, number);
      return Optional.ofNullable(write.applyAfterStamp(stamped, limits));
    }
    Optional<byte[]> before = valueBefore(mutation, lookupVersion);
    return Optional.ofNullable(write.applyTo(before.orElse(null), mutation.key(), limits));
  }

  private Optional<byte[]> valueBefore(PreparedCommit.Mutation mutation, long lookupVersion) {
    if (mutated.has(mutation.key())) {
      return mutated.get(mutation.key());
    }
    byte[] key = mutation.key().unsafeBytes();
    if (!mayBeWrittenSince(lookupVersion, key)) {
      return Optional.ofNullable(mutation.value());
    }
    if (!batch.isEmpty() && resolver.writtenSince(version - 1, key)) {
      writeBatch();
    }
    return Optional.ofNullable(storage.get(key));
  }

  /** Whether a lookup at {@code lookupVersion} may no longer hold. */
  private boolean mayBeWrittenSince(long lookupVersion, byte[] key) {
    return resolver.isTooOld(lookupVersion) || resolver.writtenSince(lookupVersion, key);
  }

  /** Drops what mutations of the group made where this commit sets or clears on top of it. */
  private void forgetMutated(PreparedCommit commit) {
    if (!commit.clears.isEmpty()) {
      mutated.clear();
    }
    commit.setKeys.forEach(mutated::forget);
    commit.clearedKeys.forEach(mutated::forget);
  }

  private void writeBatch() {
    mutated.writeTo(batch, changes);
    ids.writeTo(batch, version);
    RocksStorage.storeVersion(batch, version);
    storage.write(batch.toByteArray());
    batch.reset();
  }

  private void fireWatches(List<PendingCommit> group) {
    if (watches.isEmpty()) {
      return;
    }
    group.forEach(commit -> fireWatches(commit.prepared));
  }

  private void fireWatches(PreparedCommit commit) {
    commit.setKeys.forEach(this::fireWatches);
    commit.clearedKeys.forEach(this::fireWatches);
    commit.mutations.forEach(mutation -> fireWatches(mutation.key()));
    for (PreparedCommit.RangeClear clear : commit.clears) {
      KeyRange range = KeyRange.of(Key.wrap(clear.begin()), Key.wrap(clear.end()));
      watches.keys().stream().filter(range::contains).forEach(this::fireWatches);
    }
  }

  private void fireWatches(Key key) {
    if (!watches.watches(key)) {
      return;
    }
    try {
      watches.changed(key, storage.get(key.unsafeBytes()));
    } catch (StorageException unreadable) {
      watches.fire(key); // Waiters read the key themselves, and get the failure.
    }
  }
}
