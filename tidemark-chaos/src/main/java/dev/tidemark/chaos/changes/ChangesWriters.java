package dev.tidemark.chaos.changes;

import dev.tidemark.kv.Database;
import dev.tidemark.records.RecordStore;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Threads that save records until they are stopped, each record with values without a gap. */
final class ChangesWriters {
  private static final int THREADS = 4;
  private static final int RECORDS_MAX = 3;

  private final Database database;
  private final RecordStore<Tick> ticks;
  private final AtomicLong commits = new AtomicLong();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  private ChangesWriters(Database database) {
    this.database = database;
    this.ticks = TickStore.open(database);
  }

  static ChangesWriters start(Database database, long seed) {
    ChangesWriters writers = new ChangesWriters(database);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < THREADS; i++) {
      SplittableRandom own = random.split();
      writers.threads.add(Thread.ofVirtual().start(() -> writers.write(own)));
    }
    return writers;
  }

  private void write(SplittableRandom random) {
    try {
      while (!stopped) {
        long[] ids =
            LongStream.generate(() -> random.nextInt(Tick.COUNT))
                .limit(1 + random.nextInt(RECORDS_MAX))
                .distinct()
                .toArray();
        database.run(
            tx -> {
              for (long id : ids) {
                long value = ticks.load(tx, id).map(Tick::value).orElse(0L);
                ticks.save(tx, new Tick(id, value + 1));
              }
            });
        commits.incrementAndGet();
        Thread.sleep(random.nextInt(8));
      }
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    } catch (Throwable unexpected) {
      failure.compareAndSet(null, unexpected);
    }
  }

  /** Commits whose success a writer has seen so far. */
  long commits() {
    return commits.get();
  }

  /** Ends the threads and returns how many commits they have made. */
  long stop() throws InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
    Throwable wrong = failure.get();
    if (wrong != null) {
      throw new IllegalStateException("A writer failed: " + wrong, wrong);
    }
    return commits();
  }
}
