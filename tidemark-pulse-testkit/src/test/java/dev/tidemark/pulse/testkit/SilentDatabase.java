package dev.tidemark.pulse.testkit;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.testkit.decorate.ForwardingDatabase;
import java.util.concurrent.CountDownLatch;

/** A database that does not answer while it is silent: calls wait, and do not fail. */
final class SilentDatabase extends ForwardingDatabase {
  private static final String NOBODY = "nobody";

  private volatile String trigger = NOBODY;
  private volatile CountDownLatch spoken = new CountDownLatch(0);

  SilentDatabase(Database delegate) {
    super(delegate);
  }

  void fallSilent() {
    spoken = new CountDownLatch(1);
  }

  /** Falls silent with the next call of a thread whose name begins so. */
  void fallSilentFor(String threads) {
    trigger = threads;
  }

  void speak() {
    trigger = NOBODY;
    spoken.countDown();
  }

  @Override
  public Transaction begin(TransactionOptions options) {
    if (Thread.currentThread().getName().startsWith(trigger)) {
      trigger = NOBODY;
      fallSilent();
    }
    try {
      spoken.await();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted while nobody answers", interrupt);
    }
    return super.begin(options);
  }
}
