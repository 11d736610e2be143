package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.pulse.pool.PoolNode;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Jobs that compute without a pause, on any store. They hold the threads that virtual threads run
 * on, so no other test runs beside these.
 */
@Isolated
public abstract class PoolComputingConformance extends PoolConformance {
  /** For subclasses. */
  protected PoolComputingConformance() {}

  @Test
  void jobsThatComputeOnAllProcessorsKeepTheLeaseOfTheirNode() throws Exception {
    leaseIs(TTL);
    int jobs = Runtime.getRuntime().availableProcessors();
    CountDownLatch gate = new CountDownLatch(1);
    List<String> started = new CopyOnWriteArrayList<>();
    AtomicInteger lost = new AtomicInteger();
    PoolNode node = node();
    node.addRunner(
        job -> {
          started.add(job.key());
          gate.await();
          long end = TIME.nanos() + 2 * TTL.toNanos();
          while (TIME.nanos() - end < 0) {
            Thread.onSpinWait();
          }
          lost.addAndGet(job.isLost() ? 1 : 0);
        },
        jobs);
    dispatchAll(node, keys("job-", jobs));

    gate.countDown();
    eventually("all are done", () -> node.jobKeys().isEmpty());

    assertThat(lost).hasValue(0);
    assertThat(started).containsExactlyInAnyOrderElementsOf(keys("job-", jobs));
    assertThat(errors()).isEmpty();
  }
}
