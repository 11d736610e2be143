package dev.tidemark.testkit.junit;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.Watch;
import dev.tidemark.testkit.decorate.ForwardingDatabase;
import dev.tidemark.testkit.decorate.ForwardingTransaction;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** A database that knows what was opened on it, where, and what of that is still open. */
final class TrackedDatabase extends ForwardingDatabase {
  private final Map<Object, Opened> open = Collections.synchronizedMap(new IdentityHashMap<>());

  TrackedDatabase(Database delegate) {
    super(delegate);
  }

  /** What was opened, and the call that did it. */
  record Opened(String what, String remedy, Throwable where) {}

  /** What is still open. */
  List<Opened> open() {
    synchronized (open) {
      return List.copyOf(open.values());
    }
  }

  private void opened(Object resource, String what, String remedy) {
    open.put(resource, new Opened(what, remedy, new Throwable(what + " was opened here")));
  }

  @Override
  public Transaction begin(TransactionOptions options) {
    Transaction transaction = new TrackedTransaction(super.begin(options));
    opened(transaction, "a transaction", "close it, best by try-with-resources");
    return transaction;
  }

  private final class TrackedTransaction extends ForwardingTransaction {
    TrackedTransaction(Transaction delegate) {
      super(delegate);
    }

    @Override
    public Watch watch(Key key) {
      Watch watch = new TrackedWatch(super.watch(key));
      opened(watch, "a watch on " + key, "close it, or wait for it to fire");
      return watch;
    }

    @Override
    public void close() {
      super.close();
      open.remove(this);
    }
  }

  private final class TrackedWatch implements Watch {
    private final Watch delegate;

    TrackedWatch(Watch delegate) {
      this.delegate = delegate;
    }

    @Override
    public boolean await(Duration timeout) {
      boolean fired = delegate.await(timeout);
      if (fired) {
        open.remove(this);
      }
      return fired;
    }

    @Override
    public boolean fired() {
      boolean fired = delegate.fired();
      if (fired) {
        open.remove(this);
      }
      return fired;
    }

    @Override
    public void close() {
      delegate.close();
      open.remove(this);
    }
  }
}
