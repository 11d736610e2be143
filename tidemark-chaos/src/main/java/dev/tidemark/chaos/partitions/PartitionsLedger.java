package dev.tidemark.chaos.partitions;

import dev.tidemark.chaos.run.Findings;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.PartitionClient;
import dev.tidemark.partitions.PartitionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Workers that add to counters and read them, each to its own, and what they were told. Since one
 * worker alone adds to a counter, every answer is known beforehand: a smaller sum means a lost
 * addition or an answer of a former owner, a greater one an addition that was carried out twice.
 * Beside these they all share some counters, whose histories must be linearizable.
 */
final class PartitionsLedger implements Workload {
  private static final int WORKERS = 20;
  private static final int READ_ONE_IN = 5;
  private static final int SHARED = 8;
  private static final int SHARE_ONE_IN = 8;

  /** Reasons are reported after the round in which they occurred. */
  private static final int REASONS_KEPT = 100;

  private final PartitionClient client;
  private final int counters;
  private final Map<String, Long> acknowledged = new ConcurrentHashMap<>();
  private final Map<String, Long> inDoubt = new ConcurrentHashMap<>();
  private final List<CounterHistory> shared = new ArrayList<>();
  private final ConcurrentLinkedQueue<String> lost = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> zombies = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> reasons = new ConcurrentLinkedQueue<>();
  private final AtomicLong answers = new AtomicLong();
  private final AtomicLong givenUp = new AtomicLong();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final List<Thread> workers = new ArrayList<>();

  PartitionsLedger(PartitionClient client, int counters) {
    this.client = client;
    this.counters = counters;
    for (int i = 0; i < SHARED; i++) {
      shared.add(new CounterHistory(sharedName(i)));
    }
  }

  @Override
  public void start() {
    for (int worker = 0; worker < WORKERS; worker++) {
      int number = worker;
      workers.add(Thread.ofVirtual().name("worker-" + worker).start(() -> work(number)));
    }
  }

  private void work(int worker) {
    int counter = worker;
    for (long step = 0; !stopped.get(); step++) {
      String name = name(counter);
      int common = (int) ((step / SHARE_ONE_IN + worker) % SHARED);
      if (step % SHARE_ONE_IN == 0 && !shared.get(common).isFull()) {
        share(common, step / SHARE_ONE_IN % 2 == 0);
      } else if (step % READ_ONE_IN == 0) {
        read(name);
      } else {
        add(name);
      }
      counter = counter + WORKERS < counters ? counter + WORKERS : worker;
    }
  }

  static String name(int counter) {
    return "c%04d".formatted(counter);
  }

  /** Spread over the key space, so that they are in several partitions. */
  private static String sharedName(int number) {
    return name(number * 125) + "-shared";
  }

  private void share(int number, boolean addition) {
    CounterHistory history = shared.get(number);
    String name = sharedName(number);
    long begin = System.nanoTime();
    try {
      if (addition) {
        long sum = Long.parseLong(client.send(CountingActor.TYPE, Key.utf8(name), "add " + name));
        history.added(begin, System.nanoTime(), sum);
      } else {
        long sum = get(client, name);
        history.read(begin, System.nanoTime(), sum);
      }
      answers.incrementAndGet();
    } catch (PartitionException failure) {
      if (addition) {
        history.inDoubt();
      }
      gaveUp(failure);
    }
  }

  private void add(String name) {
    try {
      long sum = Long.parseLong(client.send(CountingActor.TYPE, Key.utf8(name), "add " + name));
      long told = acknowledged.merge(name, 1L, Long::sum);
      answers.incrementAndGet();
      check("add", name, sum, told);
    } catch (PartitionException failure) {
      inDoubt.merge(name, 1L, Long::sum);
      gaveUp(failure);
    }
  }

  private void read(String name) {
    try {
      check("get", name, get(client, name), acknowledged.getOrDefault(name, 0L));
      answers.incrementAndGet();
    } catch (PartitionException failure) {
      gaveUp(failure);
    }
  }

  private void gaveUp(PartitionException failure) {
    givenUp.incrementAndGet();
    if (reasons.size() < REASONS_KEPT) {
      reasons.add(failure.reason() + ": " + failure.getMessage());
    }
  }

  private static long get(PartitionClient client, String name) {
    return Long.parseLong(client.read(CountingActor.TYPE, Key.utf8(name), "get " + name));
  }

  private void check(String verb, String name, long sum, long told) {
    long most = told + inDoubt.getOrDefault(name, 0L);
    if (sum < told || sum > most) {
      zombies.add("%s of %s answered %d, not %d to %d".formatted(verb, name, sum, told, most));
    }
  }

  @Override
  public long answers() {
    return answers.get();
  }

  @Override
  public long givenUp() {
    return givenUp.get();
  }

  @Override
  public void stop() throws InterruptedException {
    stopped.set(true);
    for (Thread worker : workers) {
      worker.join();
    }
  }

  @Override
  public void audit(PartitionClient reader, Findings findings) {
    acknowledged.forEach(
        (name, told) -> {
          long sum = get(reader, name);
          if (sum < told) {
            lost.add("%s is %d after %d acknowledged".formatted(name, sum, told));
          } else if (sum > told + inDoubt.getOrDefault(name, 0L)) {
            zombies.add("%s is %d after only %d acknowledged".formatted(name, sum, told));
          }
        });
    shared.forEach(history -> zombies.addAll(history.violations()));
    lost.forEach(findings::lost);
    zombies.forEach(findings::torn);
  }

  @Override
  public List<String> reasons() {
    List<String> taken = new ArrayList<>();
    for (String one = reasons.poll(); one != null; one = reasons.poll()) {
      taken.add(one);
    }
    return taken;
  }

  @Override
  public List<String> zombies() {
    return List.copyOf(zombies);
  }
}
