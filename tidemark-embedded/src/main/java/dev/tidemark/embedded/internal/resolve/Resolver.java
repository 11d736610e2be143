package dev.tidemark.embedded.internal.resolve;

import dev.tidemark.embedded.internal.common.KeyHash;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.Predicate;

/**
 * Remembers the writes of the last seconds, and decides whether a transaction read something that
 * was written since. Quiet writes are remembered too: they cause no conflicts, but make what was
 * looked up before them out of date.
 *
 * <p>The memory is a queue of {@link Epoch}s. Nothing is ever removed from inside one: whole epochs
 * are forgotten when no transaction can be old enough to need them, or when they take too much
 * memory. Used by one thread at a time.
 */
public final class Resolver {
  private static final int EPOCH_COMMITS = 2_048;
  private static final long EPOCH_VERSIONS = 500_000;

  private final ArrayDeque<Epoch> epochs = new ArrayDeque<>();
  private final long maxBytes;
  private long bytes;
  private long forgotten;

  /**
   * A resolver for reads at {@code version} and later that takes about {@code maxBytes} at most.
   */
  public Resolver(long version, long maxBytes) {
    this.forgotten = version;
    this.maxBytes = maxBytes;
    epochs.addLast(new Epoch());
  }

  /** Whether what was written since {@code readVersion} is no longer known in full. */
  public boolean isTooOld(long readVersion) {
    return readVersion < forgotten;
  }

  /** Whether something that the transaction read was written after the version that it read. */
  public boolean conflicts(Footprint transaction) {
    long version = transaction.readVersion;
    Iterator<Epoch> newestFirst = epochs.descendingIterator();
    while (newestFirst.hasNext()) {
      Epoch epoch = newestFirst.next();
      if (epoch.maxVersion() <= version && epoch.commits() > 0) {
        break;
      }
      if (epoch.anyWrittenSince(version, transaction.readKeys, transaction.readHashes)) {
        return true;
      }
      for (int i = 0; i < transaction.readBegins.length; i++) {
        if (epoch.rangeWrittenSince(version, transaction.readBegins[i], transaction.readEnds[i])) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether {@code key} was written after {@code version}, quietly or not. */
  public boolean writtenSince(long version, byte[] key) {
    long hash = KeyHash.of(key);
    return inEpochSince(version, epoch -> epoch.writtenSince(version, key, hash));
  }

  /** Whether something in a range was written after {@code version}, quietly or not. */
  public boolean writtenSince(long version, byte[] begin, byte[] end) {
    return inEpochSince(version, epoch -> epoch.writtenSince(version, begin, end));
  }

  private boolean inEpochSince(long version, Predicate<Epoch> written) {
    Iterator<Epoch> newestFirst = epochs.descendingIterator();
    while (newestFirst.hasNext()) {
      Epoch epoch = newestFirst.next();
      if (epoch.maxVersion() <= version) {
        return false;
      }
      if (written.test(epoch)) {
        return true;
      }
    }
    return false;
  }

  /** Remembers the writes of a commit in {@code version}, which is not below any before it. */
  public void add(long version, Footprint commit) {
    Epoch newest = epochs.getLast();
    boolean full =
        newest.commits() >= EPOCH_COMMITS
            || (newest.commits() > 0 && version - newest.minVersion() > EPOCH_VERSIONS);
    if (full && version > newest.maxVersion()) {
      newest = new Epoch();
      epochs.addLast(newest);
    }
    long before = newest.bytes();
    newest.add(version, commit);
    grown(newest.bytes() - before);
  }

  /** Remembers one more key that the commit which was added last wrote in {@code version}. */
  public void add(long version, byte[] key, boolean quiet) {
    Epoch newest = epochs.getLast();
    long before = newest.bytes();
    newest.add(version, key, quiet);
    grown(newest.bytes() - before);
  }

  private void grown(long more) {
    bytes += more;
    while (bytes > maxBytes && epochs.size() > 1) {
      forgetOldest();
    }
  }

  /** Forgets what transactions that read {@code version} or later cannot conflict with. */
  public void forgetBefore(long version) {
    while (epochs.size() > 1 && epochs.getFirst().maxVersion() < version) {
      forgetOldest();
    }
  }

  private void forgetOldest() {
    Epoch oldest = epochs.removeFirst();
    bytes -= oldest.bytes();
    forgotten = Math.max(forgotten, oldest.maxVersion());
  }
}
