package dev.tidemark.bench.pulse;

import com.sun.management.OperatingSystemMXBean;
import dev.tidemark.bench.measure.Memory;
import dev.tidemark.bench.measure.Report;
import dev.tidemark.bench.measure.Scratch;
import dev.tidemark.bench.server.ServerProcess;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.pool.PoolNode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What jobs cost that have been started and do nothing.
 *
 * <p>They are in a process of their own: elsewhere, what other loads have left to be compiled,
 * collected and compacted would count as theirs. For the same reason the process waits, for a while
 * at most, until its own start of the jobs has settled, and tells for how long.
 */
final class IdleJobs {
  private static final Duration MEASURED = Duration.ofSeconds(5);
  private static final Duration SETTLING_STEP = Duration.ofMillis(500);
  private static final int SETTLING_STEPS_MAX = 40;

  /** Less than this of a core counts as settled. */
  private static final double SETTLED_SHARE = 0.02;

  private static final Duration PATIENCE = PoolLoad.PATIENCE.multipliedBy(3);

  private IdleJobs() {}

  /** Has {@code jobs} idle jobs on one node measured, and reports what they cost. */
  static void measure(Scratch scratch, int jobs, Report report)
      throws IOException, InterruptedException {
    report.part("%,d idle jobs on one node, in a process of their own".formatted(jobs));
    Cost cost = Cost.of(run(scratch, jobs));
    report.say(
        "  %,d MiB of heap, %.1f %% of a core, %.1f s after the last was started"
            .formatted(cost.heapMib(), 100 * cost.coreShare(), cost.settledSeconds()));
    report.put("idle_jobs", jobs);
    report.put("idle_heap_mib", cost.heapMib());
    report.put("idle_cpu_share", cost.coreShare());
    report.put("idle_settled_s", cost.settledSeconds());
  }

  /** The last line that the process printed. */
  private static String run(Scratch scratch, int jobs) throws IOException, InterruptedException {
    Path errors = scratch.path("idle-errors.txt");
    Path store = scratch.path("idle");
    Process process =
        ServerProcess.launch(
            errors, List.of(), IdleJobs.class, store.toString(), Integer.toString(jobs));
    try {
      boolean ended = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (!ended || process.exitValue() != 0) {
        throw new IllegalStateException(
            "The process with idle jobs failed: " + Files.readString(errors));
      }
      return process.inputReader().lines().reduce("", (first, last) -> last);
    } finally {
      process.destroyForcibly();
    }
  }

  /**
   * What the jobs cost.
   *
   * @param heapMib how much more of the heap is in use with them than without
   * @param coreShare how much of a core the process takes
   * @param settledSeconds how long after the last start that was measured
   */
  private record Cost(long heapMib, double coreShare, double settledSeconds) {
    static Cost of(String line) {
      String[] words = line.split(" ", -1);
      return new Cost(
          Long.parseLong(words[0]), Double.parseDouble(words[1]), Double.parseDouble(words[2]));
    }

    String line() {
      return heapMib + " " + coreShare + " " + settledSeconds;
    }
  }

  /** Measures in this process: in which directory, and how many jobs. */
  public static void main(String[] args) throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(Path.of(args[0]));
        Pulse pulse = Pulse.on(database);
        PoolNode node = pulse.pool("idle", o -> o.withDrainTime(PoolLoad.PATIENCE))) {
      node.addWorker(new PoolLoad.Counter());
      long before = Memory.liveHeap();
      PoolLoad.dispatch(node, Integer.parseInt(args[1]));
      System.out.println(costSince(before).line());
      node.shutDownPool();
    }
  }

  private static Cost costSince(long heapBefore) throws InterruptedException {
    long mib = Memory.liveHeap() - heapBefore;
    long begin = System.nanoTime();
    int steps = 0;
    while (coreShare(SETTLING_STEP) > SETTLED_SHARE && steps < SETTLING_STEPS_MAX) {
      steps++;
    }
    double settled = (System.nanoTime() - begin) / 1e9;
    return new Cost(mib, coreShare(MEASURED), settled);
  }

  /** How much of a core this process takes in the next {@code time}. */
  private static double coreShare(Duration time) throws InterruptedException {
    long begin = System.nanoTime();
    long cpu = cpuNanos();
    Thread.sleep(time);
    return (cpuNanos() - cpu) / (double) (System.nanoTime() - begin);
  }

  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
