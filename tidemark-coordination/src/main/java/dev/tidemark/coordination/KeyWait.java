package dev.tidemark.coordination;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.Watch;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Repeats a search whenever a key has changed, until it finds something. Used by one thread; closed
 * by any.
 */
public final class KeyWait implements AutoCloseable {
  /** A watch is replaced after this time, in case the store has lost it. */
  private static final Duration WATCH_MAX = Duration.ofSeconds(10);

  private final Database database;
  private final Key key;

  private volatile boolean closed;
  private volatile @Nullable Watch standing;

  /** Waits for changes of {@code key}, which every commit that adds something changes. */
  public KeyWait(Database database, Key key) {
    this.database = database;
    this.key = key;
  }

  private record Look<T>(List<T> found, @Nullable Watch watch) {}

  /**
   * What {@code look} finds; it runs in a transaction, again after each change of the key until it
   * finds something, {@code block} has passed or this is closed.
   */
  public <T> List<T> until(Duration block, Function<Transaction, List<T>> look) {
    long deadline = database.time().nanos() + block.toNanos();
    while (!closed) {
      long left = deadline - database.time().nanos();
      Look<T> seen = database.transact(tx -> look(tx, look, left > 0));
      if (seen.watch() == null || !await(seen.watch(), Duration.ofNanos(left))) {
        return seen.found();
      }
    }
    return List.of();
  }

  private <T> Look<T> look(Transaction tx, Function<Transaction, List<T>> look, boolean mayWait) {
    List<T> found = look.apply(tx);
    return new Look<>(found, found.isEmpty() && mayWait ? tx.watch(key) : null);
  }

  /** Waits; returns whether to search again. */
  private boolean await(Watch watch, Duration left) {
    try (watch) {
      standing = watch;
      if (closed) {
        return false;
      }
      boolean lastOne = left.compareTo(WATCH_MAX) <= 0;
      return watch.await(lastOne ? left : WATCH_MAX) || !lastOne;
    } catch (TransactionClosedException ended) {
      if (!closed) {
        throw ended;
      }
      return false;
    } finally {
      standing = null;
    }
  }

  @Override
  public void close() {
    closed = true;
    Watch watch = standing;
    if (watch != null) {
      watch.close();
    }
  }
}
