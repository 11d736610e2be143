package dev.tidemark.bench.pulse;

import dev.tidemark.bench.measure.Plan;
import dev.tidemark.bench.measure.Race;
import dev.tidemark.bench.measure.Report;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.pool.Job;
import dev.tidemark.pulse.pool.JobHandler;
import dev.tidemark.pulse.pool.PoolNode;
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

  /** One at a time is slow: in the time that other races warm up for, few would be made. */
  private static final int WARM_UP_MAX = 5_000;

  static final Duration PATIENCE = Duration.ofMinutes(2);

  private PoolLoad() {}

  /** Counts jobs and forgets them. */
  static class Counter implements JobHandler {
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
   * to the server: both are medians of a round, and the median of their ratios counts.
   *
   * <p>Round trips and dispatches take turns, so that both meet the same threads, asleep or awake:
   * a loop of nothing but round trips keeps its own awake, and takes half as long as the same
   * question costs a program that does something else in between. The result of that loop is
   * reported as well.
   */
  static double dispatchRoundTrips(Pulse pulse, RawRedis redis, Plan plan, Report report) {
    Clock clock = new Clock();
    List<Double> loops = new ArrayList<>();
    List<Double> trips = new ArrayList<>();
    List<Double> dispatches = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    try (PoolNode node = pulse.pool("latency")) {
      node.addWorker(clock);
      takeTurns(Math.min(WARM_UP_MAX, plan.keys() / 20), redis, node, clock);
      for (int round = 0; round < plan.rounds(); round++) {
        loops.add(Race.median(measure(DISPATCHES, () -> pingMicros(redis))));
        Turns turns = takeTurns(DISPATCHES, redis, node, clock);
        trips.add(Race.median(turns.trips()));
        dispatches.add(Race.median(turns.dispatches()));
        ratios.add(dispatches.getLast() / trips.getLast());
      }
    }
    double dispatch = Race.median(dispatches);
    double loop = Race.median(loops);
    report.say(
        "  dispatch to handler %.0f us, round trip %.0f us, in a loop of its own %.0f us"
            .formatted(dispatch, Race.median(trips), loop));
    report.put("dispatch_us", dispatch);
    report.put("round_trip_us", Race.median(trips));
    report.put("round_trip_loop_us", loop);
    return Race.median(ratios);
  }

  /** What round trips and dispatches took that were made in turns, in microseconds. */
  private record Turns(List<Double> trips, List<Double> dispatches) {}

  private static Turns takeTurns(int times, RawRedis redis, PoolNode node, Clock clock) {
    Turns turns = new Turns(new ArrayList<>(times), new ArrayList<>(times));
    for (int i = 0; i < times; i++) {
      turns.trips().add(pingMicros(redis));
      turns.dispatches().add(dispatchMicros(node, clock));
    }
    return turns;
  }

  private static List<Double> measure(int times, DoubleSupplier measure) {
    return DoubleStream.generate(measure).limit(times).boxed().toList();
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

  /** How long it takes until a worker that joins has its share of the jobs of another. */
  static double rebalanceSeconds(Pulse pulse, Report report) throws Exception {
    report.part("%,d jobs, and a worker joins".formatted(KEYS));
    Counter first = new Counter();
    Counter second = new Counter();
    try (PoolNode node = pulse.pool("rebalance", o -> o.withDrainTime(PATIENCE))) {
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
      node.shutDownPool();
      return seconds;
    }
  }

  static void dispatch(PoolNode node, int jobs) throws Exception {
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
