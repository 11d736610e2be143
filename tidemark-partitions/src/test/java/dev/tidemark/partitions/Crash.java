package dev.tidemark.partitions;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.testkit.ForwardingDatabase;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The end of one manager right after a given write of its operations. From then on it reaches
 * nothing, neither the store nor the control rows, as if its process had ended.
 */
final class Crash {
  private final int at;
  private final AtomicInteger writes = new AtomicInteger();
  private volatile boolean armed;
  private volatile boolean happened;

  /** A crash after the write with this number; the first one is 1. */
  Crash(int at) {
    this.at = at;
  }

  /** Counts from now on. */
  void arm() {
    armed = true;
  }

  boolean hasHappened() {
    return happened;
  }

  private void check() {
    if (happened) {
      throw UnavailableException.unreachable("This manager has crashed", null);
    }
  }

  private void written() {
    boolean counts = armed && Thread.currentThread().getName().startsWith("operation-");
    if (counts && writes.incrementAndGet() == at) {
      happened = true;
    }
    check();
  }

  /** The store as the manager sees it. */
  Database over(Database store) {
    return new ForwardingDatabase(store) {
      @Override
      public Transaction begin(TransactionOptions options) {
        check();
        return super.begin(options);
      }

      @Override
      public <T, X extends Exception> T transact(TransactionBody<T, X> body) throws X {
        check();
        T result = super.transact(body);
        written();
        return result;
      }

      @Override
      public void close() {
        // The store belongs to the cluster.
      }
    };
  }

  /** The control rows as the manager sees them. */
  RowStore over(RowStore rows) {
    return new RowStore() {
      @Override
      public <T> T transact(Body<T> body) {
        check();
        T result = rows.transact(body);
        written();
        return result;
      }

      @Override
      public <T> T transactJoined(JoinedBody<T> body) throws Exception {
        return rows.transactJoined(body);
      }

      @Override
      public <T> T read(Body<T> body) {
        check();
        return rows.read(body);
      }

      @Override
      public Rows in(Transaction tx) {
        return rows.in(tx);
      }

      @Override
      public Listening onWake(String channel, Consumer<byte[]> listener) {
        return rows.onWake(channel, listener);
      }

      @Override
      public void close() {
        // The rows belong to the cluster.
      }
    };
  }
}
