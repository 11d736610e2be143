package dev.tidemark.bench.changes;

import dev.tidemark.bench.records.User;
import dev.tidemark.changes.ChangeReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * How long a change takes to the handler of a reader that has nothing to catch up, while a fixed
 * number of commits a second comes. The clock runs from the moment a commit was due, so that it
 * holds the commit itself, its sync, and the time that a late writer kept it waiting.
 */
final class ChangeLatency {
  private static final int COMMITS_PER_SECOND = 2_000;
  private static final int WRITERS = 64;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Users beyond those of the load, and of other runs. */
  private static final long USERS_OF_A_RUN = 1_000_000_000L;

  private final LoggedUsers logged;
  private final long firstUser;
  private final int commits;
  private final AtomicLongArray took;
  private final AtomicInteger arrived = new AtomicInteger();
  private volatile long begin;

  /** Run {@code number}, from 1, on {@code logged}: it inserts users that no other run does. */
  ChangeLatency(LoggedUsers logged, int number, Duration time) {
    this.logged = logged;
    this.firstUser = number * USERS_OF_A_RUN;
    this.commits = (int) (COMMITS_PER_SECOND * time.toMillis() / 1_000);
    this.took = new AtomicLongArray(commits);
  }

  /** Milliseconds at {@code quantiles}, each between 0 and 1. */
  double[] millis(double... quantiles) throws Exception {
    try (ChangeReader reader =
        ChangeReader.of(logged.source(), logged.metadata(), logged.options())) {
      reader.start(
          delivery ->
              arrived(key(delivery.change().mods().getFirst().keys().get("userId").orElseThrow())));
      write();
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (arrived.get() < commits) {
        if (System.nanoTime() > deadline || reader.endReason().isPresent()) {
          throw new IllegalStateException(
              "%,d of %,d changes came: %s".formatted(arrived.get(), commits, reader.endReason()));
        }
        LockSupport.parkNanos(1_000_000);
      }
      reader.stop(PATIENCE);
    }
    long[] sorted = new long[commits];
    Arrays.setAll(sorted, took::get);
    Arrays.sort(sorted);
    return Arrays.stream(quantiles)
        .map(quantile -> sorted[(int) Math.min(commits - 1, quantile * commits)] / 1e6)
        .toArray();
  }

  private int key(Object userId) {
    return (int) ((long) userId - firstUser);
  }

  private void arrived(int number) {
    if (took.compareAndSet(number, 0, Math.max(1, System.nanoTime() - due(number)))) {
      arrived.incrementAndGet();
    }
  }

  private long due(int number) {
    return begin + number * (1_000_000_000L / COMMITS_PER_SECOND);
  }

  private void write() throws InterruptedException {
    begin = System.nanoTime() + 100_000_000;
    AtomicInteger next = new AtomicInteger();
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      writers.add(Thread.startVirtualThread(() -> write(next)));
    }
    for (Thread writer : writers) {
      writer.join();
    }
  }

  private void write(AtomicInteger next) {
    for (int number = next.getAndIncrement(); number < commits; number = next.getAndIncrement()) {
      for (long left = due(number) - System.nanoTime(); left > 0; ) {
        LockSupport.parkNanos(left);
        left = due(number) - System.nanoTime();
      }
      long id = firstUser + number;
      User user = new User(id, id + "@late.example.com", "Port", 30, Instant.EPOCH);
      logged.database().run(tx -> logged.store().save(tx, user));
    }
  }
}
