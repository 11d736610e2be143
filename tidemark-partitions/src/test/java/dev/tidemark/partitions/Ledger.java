package dev.tidemark.partitions;

import dev.tidemark.kv.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Workers that add to counters, one worker a counter at a time, and what was acknowledged to them.
 * A sum that is smaller than what was acknowledged is a loss; one that is greater is an addition
 * that was carried out twice, or by an owner that was none any more.
 */
final class Ledger implements AutoCloseable {
  private final PartitionClient client;
  private final Map<String, Long> acknowledged = new ConcurrentHashMap<>();
  private final Map<String, Long> inDoubt = new ConcurrentHashMap<>();
  private final List<String> wrong = new ArrayList<>();
  private final AtomicLong failures = new AtomicLong();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final List<Thread> workers = new ArrayList<>();

  Ledger(PartitionClient client) {
    this.client = client;
  }

  /** Starts workers; each has its own counters, spread over the key space. */
  Ledger start(int count, int counters) {
    for (int worker = 0; worker < count; worker++) {
      int number = worker;
      workers.add(Thread.startVirtualThread(() -> work(number, count, counters)));
    }
    return this;
  }

  private void work(int worker, int workersInAll, int counters) {
    for (int i = worker; !stopped.get(); i = next(i, worker, workersInAll, counters)) {
      String name = String.format("k%03d", i);
      try {
        long sum = ClusterTest.add(client, name);
        check(name, sum, acknowledged.merge(name, 1L, Long::sum));
      } catch (PartitionException failure) {
        failures.incrementAndGet();
        inDoubt.merge(name, 1L, Long::sum);
      }
    }
  }

  private static int next(int i, int worker, int workersInAll, int counters) {
    return i + workersInAll < counters ? i + workersInAll : worker;
  }

  /** Each answer is what this worker has been told before, and one more. */
  private void check(String name, long sum, long expected) {
    if (sum < expected || sum > expected + inDoubt.getOrDefault(name, 0L)) {
      synchronized (wrong) {
        wrong.add("%s answered %d after %d acknowledged".formatted(name, sum, expected));
      }
    }
  }

  long writes() {
    return acknowledged.values().stream().mapToLong(Long::longValue).sum();
  }

  long failures() {
    return failures.get();
  }

  /** Stops the workers and compares every counter with what was acknowledged. */
  List<String> verify(PartitionClient reader) {
    close();
    acknowledged.forEach(
        (name, count) -> {
          long sum = Long.parseLong(reader.read(CounterActor.TYPE, Key.utf8(name), "get " + name));
          check(name, sum, count);
        });
    return wrong;
  }

  @Override
  public void close() {
    stopped.set(true);
    for (Thread worker : workers) {
      try {
        worker.join();
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
        throw new AssertionError(interrupt);
      }
    }
  }
}
