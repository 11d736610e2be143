package dev.tidemark.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.tidemark.pulse.Job;
import dev.tidemark.pulse.JobHandler;
import dev.tidemark.pulse.PoolNode;
import dev.tidemark.pulse.Pulse;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;

/** What a pool of workers is measured by. */
final class PoolLoad {
  private static final byte[] PAYLOAD = new byte[100];
  private static final int KEYS = 10_000;
  private static final int DISPATCHERS = 64;

  /** So many are measured in a round. */
  private static final int DISPATCHES = 200;

  private static final Duration IDLE = Duration.ofSeconds(3);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private PoolLoad() {}

  /** Counts jobs and forgets them. */
  private static class Counter implements JobHandler {
    final AtomicInteger running = new AtomicInteger();

    @Override
    public void start(Job job) {
      running.incrementAndGet();
    }

    @Override
    public void stop(String key) {
      running.decrementAndGet();
    }
  }

  /**
   * The time from the call of dispatch to the call of the handler, in one process, in round trips
   * to the server: both are medians of a round, and the median of their ratios counts. Both are
   * warm, as in every other race.
   */
  static double dispatchRoundTrips(Pulse pulse, RawRedis redis, Plan plan, Report report) {
    Clock clock = new Clock();
    List<Double> trips = new ArrayList<>();
    List<Double> dispatches = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    try (PoolNode node = pulse.pool("latency")) {
      node.addWorker(clock);
      for (long end = System.nanoTime() + plan.warmUp().toNanos(); System.nanoTime() < end; ) {
        pingMicros(redis);
        dispatchMicros(node, clock);
      }
      for (int round = 0; round < plan.rounds(); round++) {
        trips.add(medianOf(DISPATCHES, () -> pingMicros(redis)));
        dispatches.add(medianOf(DISPATCHES, () -> dispatchMicros(node, clock)));
        ratios.add(dispatches.getLast() / trips.getLast());
      }
    }
    report.say(
        "  round trip %.0f us, dispatch to handler %.0f us"
            .formatted(Race.median(trips), Race.median(dispatches)));
    return Race.median(ratios);
  }

  private static double medianOf(int times, DoubleSupplier measure) {
    return Race.median(DoubleStream.generate(measure).limit(times).boxed().toList());
  }

  private static double pingMicros(RawRedis redis) {
    long begin = System.nanoTime();
    redis.ping();
    return (System.nanoTime() - begin) / 1e3;
  }

  /** Remembers when it was called. */
  private static final class Clock extends Counter {
    private final AtomicLong started = new AtomicLong();

    @Override
    public void start(Job job) {
      started.set(System.nanoTime());
      super.start(job);
    }
  }

  private static double dispatchMicros(PoolNode node, Clock clock) {
    String key = "job-" + clock.started.get();
    long begin = System.nanoTime();
    node.dispatch(key, PAYLOAD);
    double micros = (clock.started.get() - begin) / 1e3;
    node.stop(key);
    return micros;
  }

  /** What {@code jobs} idle jobs on one node cost. */
  static void idle(Pulse pulse, int jobs, Report report) throws Exception {
    report.part("%,d idle jobs on one node".formatted(jobs));
    long before = Memory.liveHeap();
    try (PoolNode node = pulse.pool("idle", o -> o.withShutdownTime(PATIENCE))) {
      node.addWorker(new Counter());
      dispatch(node, jobs);
      long mib = Memory.liveHeap() - before;
      long cpu = cpuNanos();
      Thread.sleep(IDLE.toMillis());
      double share = (cpuNanos() - cpu) / (double) IDLE.toNanos();
      report.say("  %,d MiB of heap, %.1f %% of a core".formatted(mib, 100 * share));
      report.put("idle_jobs", jobs);
      report.put("idle_heap_mib", mib);
      report.put("idle_cpu_share", share);
      node.shutdown();
    }
  }

  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** How long it takes until a worker that joins has its share of the jobs of another. */
  static double rebalanceSeconds(Pulse pulse, Report report) throws Exception {
    report.part("%,d jobs, and a worker joins".formatted(KEYS));
    Counter first = new Counter();
    Counter second = new Counter();
    try (PoolNode node = pulse.pool("rebalance", o -> o.withShutdownTime(PATIENCE))) {
      node.addWorker(first);
      dispatch(node, KEYS);
      long begin = System.nanoTime();
      node.addWorker(second);
      long deadline = begin + PATIENCE.toNanos();
      // Half of the keys go to the second of two slots, give or take a few.
      while (second.running.get() < KEYS * 0.45
          || first.running.get() + second.running.get() < KEYS) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException(
              "%d and %d jobs run after %s"
                  .formatted(first.running.get(), second.running.get(), PATIENCE));
        }
        Thread.sleep(1);
      }
      double seconds = (System.nanoTime() - begin) / 1e9;
      report.say("  %,d jobs moved in %.2f s".formatted(second.running.get(), seconds));
      node.shutdown();
      return seconds;
    }
  }

  private static void dispatch(PoolNode node, int jobs) throws Exception {
    Semaphore failures = new Semaphore(0);
    AtomicInteger next = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < DISPATCHERS; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      for (int job = next.getAndIncrement();
                          job < jobs;
                          job = next.getAndIncrement()) {
                        node.dispatch("job-" + job, PAYLOAD);
                      }
                    } catch (RuntimeException failure) {
                      failures.release();
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (failures.availablePermits() > 0) {
      throw new IllegalStateException(failures.availablePermits() + " dispatchers failed");
    }
  }
}
