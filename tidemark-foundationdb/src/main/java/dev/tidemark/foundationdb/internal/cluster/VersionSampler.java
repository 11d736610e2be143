package dev.tidemark.foundationdb.internal.cluster;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.TransactionOptions.Idempotency;
import java.time.Duration;

/** Notes from time to time which version the cluster is at, as long as its database is open. */
final class VersionSampler implements AutoCloseable {
  private static final int RETRIES = 3;
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration LONGEST_END = Duration.ofSeconds(10);

  private final Database database;
  private final VersionTimes versionTimes;
  private final Duration interval;
  private final Thread thread;
  private volatile boolean closed;

  VersionSampler(Database database, VersionTimes versionTimes, Duration interval) {
    this.database = database;
    this.versionTimes = versionTimes;
    this.interval = interval;
    this.thread = Thread.ofVirtual().name("tidemark-version-sampler").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    while (!closed) {
      sample();
      try {
        database.time().sleep(interval);
      } catch (InterruptedException end) {
        return;
      }
    }
  }

  /** A sample that fails is left out: the next one comes, and answers are interpolated anyway. */
  private void sample() {
    try {
      database
          .with(
              o -> o.withRetryLimit(RETRIES).withTimeout(TIMEOUT).withIdempotency(Idempotency.OFF))
          .run(tx -> versionTimes.sample(tx, interval));
    } catch (DatabaseException missed) {
      // Left out.
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join(LONGEST_END);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }
}
