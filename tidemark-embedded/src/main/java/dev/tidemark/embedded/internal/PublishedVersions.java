package dev.tidemark.embedded.internal;

import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.TimeSource;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** The version that new transactions read, and the older ones that some transaction still reads. */
final class PublishedVersions {
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(30);
  private static final long CLOSE_POLL_NANOS = 200_000;

  private final RocksStorage storage;
  private final TimeSource time;
  private final long keptNanos;
  private final Supplier<DatabaseException> whyRetired;

  /** In the order in which they stopped being current. */
  private final ConcurrentLinkedQueue<Superseded> superseded = new ConcurrentLinkedQueue<>();

  private volatile PinnedVersion current;

  private record Superseded(PinnedVersion version, long nanos) {}

  PublishedVersions(
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
  PinnedVersion hold() {
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

  /** Makes what has been written so far the version that new transactions read. */
  void publish(long version) {
    PinnedVersion before = current;
    current = storage.pin(version, whyRetired);
    before.drop();
    if (!before.isReleased()) {
      superseded.add(new Superseded(before, time.nanos()));
    }
  }

  /**
   * Retires versions that no transaction may read any more, however slow it is, and has the current
   * one forget what compactions have replaced. To be called now and then by one thread.
   */
  void tidy() {
    current.renewIterators();
    long now = time.nanos();
    Iterator<Superseded> oldestFirst = superseded.iterator();
    while (oldestFirst.hasNext()) {
      Superseded old = oldestFirst.next();
      if (old.version().isReleased()) {
        oldestFirst.remove();
      } else if (now - old.nanos() > keptNanos) {
        old.version().retire();
        oldestFirst.remove();
      }
    }
  }

  /** Retires every version and waits until the reads under way have ended. Can be called again. */
  void close() {
    current.retire();
    superseded.forEach(old -> old.version().retire());
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
