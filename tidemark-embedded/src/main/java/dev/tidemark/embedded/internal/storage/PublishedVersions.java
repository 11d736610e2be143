package dev.tidemark.embedded.internal.storage;

import dev.tidemark.embedded.internal.read.PinnedVersion;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.UnavailableException;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The version that new transactions read, and the older versions that are still read. */
public final class PublishedVersions {
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(30);
  private static final long CLOSE_POLL_NANOS = 200_000;

  private final RocksStorage storage;
  private final TimeSource time;
  private final long keptNanos;
  private final Supplier<DatabaseException> whyRetired;

  /** Versions that have been replaced, and may still be held. */
  private final ConcurrentSkipListMap<Long, Superseded> superseded = new ConcurrentSkipListMap<>();

  private volatile PinnedVersion current;

  /** A version that {@code by} replaced at {@code nanos}. */
  private record Superseded(PinnedVersion pinned, long by, long nanos) {}

  /**
   * A version held for a reader.
   *
   * @param pinned what it reads
   * @param latestUntilNanos when it was replaced, or now if it has not been
   */
  public record Kept(PinnedVersion pinned, long latestUntilNanos) {}

  public PublishedVersions(
      RocksStorage storage,
      long version,
      TimeSource time,
      Duration kept,
      Supplier<DatabaseException> whyRetired) {
    this.storage = storage;
    this.time = time;
    this.keptNanos = kept.toNanos();
    this.whyRetired = whyRetired;
    this.current = storage.pin(version, whyRetired);
  }

  /** The latest version, held for the caller, who drops it. */
  public PinnedVersion hold() {
    while (true) {
      PinnedVersion latest = current;
      if (latest.tryHold()) {
        return latest;
      }
      if (latest == current) {
        throw whyRetired.get();
      }
    }
  }

  /**
   * What was committed up to {@code version}, held for the caller, who drops it; null if it is no
   * longer kept.
   *
   * @throws UnavailableException if the version has not been committed yet
   */
  @Nullable
  public Kept hold(long version) {
    while (true) {
      PinnedVersion latest = current;
      checkCommitted(version, latest);
      if (version < latest.version()) {
        return holdSuperseded(version);
      }
      if (latest.tryHold()) {
        return new Kept(latest, time.nanos());
      }
      if (latest == current) {
        throw whyRetired.get();
      }
    }
  }

  private @Nullable Kept holdSuperseded(long version) {
    Map.Entry<Long, Superseded> floor = superseded.floorEntry(version);
    if (floor == null) {
      return null;
    }
    Superseded old = floor.getValue();
    return version < old.by() && old.pinned().tryHold()
        ? new Kept(old.pinned(), old.nanos())
        : null;
  }

  /** Throws if {@code version} is later than the latest one. */
  public void checkCommitted(long version) {
    checkCommitted(version, current);
  }

  private static void checkCommitted(long version, PinnedVersion latest) {
    if (version > latest.version()) {
      throw UnavailableException.futureVersion(version, latest.version());
    }
  }

  /**
   * Publishes what has been written so far as the version that new transactions read. If the
   * metadata version cannot have changed, the new version takes it over from the one before.
   */
  public void publish(long version, boolean newMetadata) {
    PinnedVersion before = current;
    long now = time.nanos(); // First, because nothing may fail while only this method has `next`.
    PinnedVersion next = storage.pin(version, whyRetired);
    if (!newMetadata) {
      next.takeMetadataVersion(before);
    }
    // First, so that a reader that no longer finds it as the current one finds it here.
    superseded.put(before.version(), new Superseded(before, version, now));
    current = next;
    before.drop();
    if (before.isReleased()) {
      superseded.remove(before.version());
    }
  }

  /**
   * Retires versions whose read window has ended, and drops iterators of the current one over files
   * that compactions have replaced. Called now and then by one thread.
   */
  public void tidy() {
    current.renewIterators();
    long now = time.nanos();
    Iterator<Superseded> oldestFirst = superseded.values().iterator();
    while (oldestFirst.hasNext()) {
      Superseded old = oldestFirst.next();
      if (old.pinned().isReleased()) {
        oldestFirst.remove();
      } else if (now - old.nanos() > keptNanos) {
        old.pinned().retire();
        oldestFirst.remove();
      }
    }
  }

  /** Retires every version and waits until the reads under way have ended. Can be called again. */
  public void close() {
    current.retire();
    superseded.values().forEach(old -> old.pinned().retire());
    boolean interrupted = Thread.interrupted();
    try {
      awaitReleases();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void awaitReleases() {
    long start = System.nanoTime();
    while (storage.pinnedVersions() > 0) {
      if (System.nanoTime() - start > CLOSE_WAIT.toNanos()) {
        throw new StorageException(
            StorageException.Kind.IO_ERROR,
            "The database is not closed: reads have been under way for " + CLOSE_WAIT,
            null);
      }
      LockSupport.parkNanos(CLOSE_POLL_NANOS);
    }
  }
}
