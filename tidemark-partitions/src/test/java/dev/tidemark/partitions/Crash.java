package dev.tidemark.partitions;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.testkit.decorate.ForwardingDatabase;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The end of one process right after a given write of its own. From then on it reaches nothing,
 * neither the store nor the control rows, as if its process had ended.
 */
final class Crash {
  private final int at;
  private final Predicate<String> threads;
  private final boolean afterReads;
  private final AtomicInteger writes = new AtomicInteger();
  private volatile boolean armed;
  private volatile boolean happened;

  private Crash(int at, Predicate<String> threads, boolean afterReads) {
    this.at = at;
    this.threads = threads;
    this.afterReads = afterReads;
  }

  /** A crash after the write of operations with this number; the first one is 1. */
  static Crash ofOperations(int at) {
    return new Crash(at, thread -> thread.startsWith("operation-"), false);
  }

  /** The same after a write of the reconciler, which lets nodes in and ensures types. */
  static Crash ofReconciler(int at) {
    return new Crash(at, thread -> thread.equals("partitions-reconciler"), false);
  }

  /** The same after a read or a write of a server, the renewals of its lease apart. */
  static Crash ofServer(int at) {
    return new Crash(at, thread -> !thread.startsWith("tidemark-node-heartbeat"), true);
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
      throw UnavailableException.unreachable("This process has crashed", null);
    }
  }

  private void written() {
    boolean counts = armed && threads.test(Thread.currentThread().getName());
    if (counts && writes.incrementAndGet() == at) {
      happened = true;
    }
    check();
  }

  /** The store as the process sees it. */
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
        boolean[] writes = {false};
        T result =
            super.<T, X>transact(
                tx -> {
                  T made = body.apply(tx);
                  writes[0] = tx.hasWrites();
                  return made;
                });
        if (afterReads || writes[0]) {
          written();
        }
        check();
        return result;
      }

      @Override
      public void close() {
        // The store belongs to the cluster.
      }
    };
  }

  /** The control rows as the process sees them. */
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
