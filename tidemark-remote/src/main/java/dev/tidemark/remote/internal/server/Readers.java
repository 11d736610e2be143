package dev.tidemark.remote.internal.server;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.kv.UnavailableException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/** The transactions in which a client's reads are made. */
final class Readers {
  private final Database database;
  private final int limit;
  private final LongAdder count;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  /** By the client's numbers, oldest first. */
  private final LinkedHashMap<Long, Reader> open = new LinkedHashMap<>();

  /** The latest readers that were closed before the client released them. */
  private final LinkedHashSet<Long> expired = new LinkedHashSet<>();

  private boolean closed;

  private sealed interface Reader {
    long startNanos();
  }

  private static final class Reading implements Reader {
    private final Transaction tx;
    private final long startNanos;

    /** Whether the version was sent to the client. */
    private boolean told;

    Reading(Transaction tx, long startNanos) {
      this.tx = tx;
      this.startNanos = startNanos;
    }

    @Override
    public long startNanos() {
      return startNanos;
    }
  }

  /** A reader that could not be opened; reads on their way to it get the reason. */
  private record Failed(DatabaseException failure, long startNanos) implements Reader {}

  /**
   * A reader for one read.
   *
   * @param tx where to read
   * @param untold the version, if the client does not know it; zero if it does
   */
  record Found(Transaction tx, long untold) {}

  Readers(Database database, int limit, LongAdder count) {
    this.database = database;
    this.limit = limit;
    this.count = count;
  }

  /**
   * Opens a reader of {@code version}, 0 for the latest, unless it is open, and returns its
   * version. One that was too long open is not opened again: the client has read another version.
   */
  long open(long number, long version) {
    long now = database.time().nanos();
    lock.lock();
    try {
      if (open.containsKey(number) || expired.contains(number)) {
        return find(number).tx().readVersion();
      }
      if (open.size() >= limit) {
        closeExpired(now);
      }
      try {
        Transaction tx = begin();
        open.put(number, new Reading(tx, now));
        count.increment();
        if (version != 0) {
          tx.setReadVersion(version);
        }
        return tx.readVersion();
      } catch (DatabaseException failure) {
        remember(number, new Failed(failure, now));
        throw failure;
      }
    } finally {
      lock.unlock();
    }
  }

  private Transaction begin() {
    if (closed) {
      throw TransactionClosedException.cancelled("The session is over");
    }
    if (open.size() >= limit) {
      throw UnavailableException.unreachable(
          ("%,d transactions of this client are open, which is the server's limit"
                  + " (ClientLimits.readers). Close those that are no longer needed")
              .formatted(open.size()),
          null);
    }
    return database.begin();
  }

  /** Keeps a failure for later reads, but not more failures than there may be readers. */
  private void remember(long number, Failed failed) {
    Reader before = open.remove(number);
    if (before != null) {
      close(before);
    }
    if (open.size() < 2L * limit && !closed) {
      open.put(number, failed);
      count.increment();
    }
  }

  /** The reader {@code number}, for one read. */
  Found find(long number) {
    lock.lock();
    try {
      Reader reader = open.get(number);
      // Not a switch: this runs for every read, and instanceof is faster here.
      if (reader instanceof Reading reading) {
        long untold = reading.told ? 0 : reading.tx.readVersion();
        reading.told = true;
        return new Found(reading.tx, untold);
      }
      if (reader instanceof Failed failed) {
        throw failed.failure();
      }
      throw new TransactionTooOldException(
          "The server no longer has reader %d: it was released, or was open for too long among many"
              .formatted(number));
    } finally {
      lock.unlock();
    }
  }

  void release(long number) {
    lock.lock();
    try {
      Reader reader = open.remove(number);
      expired.remove(number);
      if (reader != null) {
        close(reader);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Closes readers that can no longer read. Only if there are many: while one is open, the database
   * may keep its version for others.
   */
  private void closeExpired(long now) {
    long window = database.limits().readWindow().toNanos();
    Iterator<Map.Entry<Long, Reader>> oldestFirst = open.entrySet().iterator();
    while (oldestFirst.hasNext()) {
      Map.Entry<Long, Reader> oldest = oldestFirst.next();
      if (now - oldest.getValue().startNanos() <= window) {
        return;
      }
      oldestFirst.remove();
      close(oldest.getValue());
      expired.add(oldest.getKey());
    }
    while (expired.size() > limit) {
      expired.removeFirst();
    }
  }

  private void close(Reader reader) {
    count.decrement();
    if (reader instanceof Reading reading) {
      reading.tx.close();
    }
  }

  void closeAll() {
    lock.lock();
    try {
      closed = true;
      open.values().forEach(this::close);
      open.clear();
    } finally {
      lock.unlock();
    }
  }
}
