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

/** What a pool of workers is measured by. */
final class PoolLoad {
  private static final byte[] PAYLOAD = new byte[100];
  private static final int KEYS = 10_000;
  private static final int DISPATCHERS = 64;
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

  /** The median of a round trip to the server. */
  static double pingMicros(RawRedis redis, int times) {
    List<Double> micros = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      long begin = System.nanoTime();
      redis.ping();
      micros.add((System.nanoTime() - begin) / 1e3);
    }
    return Race.median(micros.subList(times / 4, times));
  }

  /** The median time from the call of dispatch to the call of the handler, in one process. */
  static double dispatchMicros(Pulse pulse, int times) {
    List<Double> micros = new ArrayList<>();
    AtomicLong started = new AtomicLong();
    try (PoolNode node = pulse.pool("latency")) {
      node.addWorker(
          new Counter() {
            @Override
            public void start(Job job) {
              started.set(System.nanoTime());
            }
          });
      for (int i = 0; i < times; i++) {
        String key = "job-" + i;
        long begin = System.nanoTime();
        node.dispatch(key, PAYLOAD);
        micros.add((started.get() - begin) / 1e3);
        node.stop(key);
      }
    }
    return Race.median(micros.subList(times / 4, times));
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
