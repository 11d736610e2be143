package dev.tidemark.partitions;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionContext;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.testkit.decorate.ForwardingDatabase;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The end of one process at a given write of its own. From then on it reaches nothing, neither the
 * store nor the control rows, as if its process had ended.
 */
final class Crash {
  /** Where in the life of a transaction the process ends. */
  private enum Moment {
    /** With everything prepared, and the write never made. */
    BEFORE_A_WRITE,
    AFTER_A_WRITE,
    AFTER_A_TRANSACTION
  }

  private final int at;
  private final Predicate<String> threads;
  private final Moment moment;
  private final AtomicInteger writes = new AtomicInteger();
  private volatile boolean armed;
  private volatile boolean happened;

  private Crash(int at, Predicate<String> threads, Moment moment) {
    this.at = at;
    this.threads = threads;
    this.moment = moment;
  }

  /** A crash after the write of operations with this number; the first one is 1. */
  static Crash ofOperations(int at) {
    return new Crash(at, thread -> thread.startsWith("operation-"), Moment.AFTER_A_WRITE);
  }

  /**
   * The same before that write: what the manager had servers do for it has happened, and nobody has
   * written that down.
   */
  static Crash ofOperationsBefore(int at) {
    return new Crash(at, thread -> thread.startsWith("operation-"), Moment.BEFORE_A_WRITE);
  }

  /** A crash after a write of the reconciler, which lets nodes in and ensures types. */
  static Crash ofReconciler(int at) {
    return new Crash(at, thread -> thread.equals("partitions-reconciler"), Moment.AFTER_A_WRITE);
  }

  /** A crash after a transaction of a server, those of its heartbeat and reports apart. */
  static Crash ofServer(int at) {
    return new Crash(
        at,
        thread ->
            !thread.startsWith("tidemark-node-heartbeat")
                && !thread.startsWith("tidemark-node-report"),
        Moment.AFTER_A_TRANSACTION);
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

  private void count() {
    boolean counts = armed && threads.test(Thread.currentThread().getName());
    if (counts && writes.incrementAndGet() == at) {
      happened = true;
    }
  }

  /** Called within a transaction that is about to write, once for all its attempts. */
  private void beforeWrite(boolean[] counted) {
    if (moment == Moment.BEFORE_A_WRITE && !counted[0]) {
      counted[0] = true;
      count();
    }
    if (happened) {
      // Nothing that a transaction runs again for.
      throw new IllegalStateException("This process has crashed before its write");
    }
  }

  private void afterTransaction(boolean wrote) {
    boolean counts =
        moment == Moment.AFTER_A_TRANSACTION || (moment == Moment.AFTER_A_WRITE && wrote);
    if (counts) {
      count();
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
      public TransactionContext with(UnaryOperator<TransactionOptions> change) {
        return counting(super.with(change));
      }

      @Override
      public <T, X extends Exception> T transact(TransactionBody<T, X> body) throws X {
        return with(UnaryOperator.identity()).transact(body);
      }

      @Override
      public void close() {
        // The store belongs to the cluster.
      }
    };
  }

  private TransactionContext counting(TransactionContext context) {
    return new TransactionContext() {
      @Override
      public <T, X extends Exception> T transact(TransactionBody<T, X> body) throws X {
        check();
        boolean[] wrote = {false};
        boolean[] counted = {false};
        T result =
            context.<T, X>transact(
                tx -> {
                  T made = body.apply(tx);
                  wrote[0] = tx.hasWrites();
                  if (wrote[0]) {
                    beforeWrite(counted);
                  }
                  return made;
                });
        afterTransaction(wrote[0]);
        return result;
      }

      @Override
      public <T, X extends Exception> T read(ReadBody<T, X> body) throws X {
        return context.read(body);
      }
    };
  }

  /** The control rows as the process sees them. */
  RowStore over(RowStore rows) {
    return new RowStore() {
      @Override
      public <T> T transact(Body<T> body) {
        check();
        boolean[] counted = {false};
        T result =
            rows.transact(
                all -> {
                  T made = body.apply(all);
                  beforeWrite(counted);
                  return made;
                });
        afterTransaction(true);
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
