package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.pulse.pool.DispatchTimeoutException;
import dev.tidemark.pulse.pool.Job;
import dev.tidemark.pulse.pool.JobFailedException;
import dev.tidemark.pulse.pool.JobHandler;
import dev.tidemark.pulse.pool.JobInfo;
import dev.tidemark.pulse.pool.PoolClient;
import dev.tidemark.pulse.pool.PoolException;
import dev.tidemark.pulse.pool.PoolFullException;
import dev.tidemark.pulse.pool.PoolNode;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** How jobs are stopped whose workers are busy, hang or fail, on any store. */
public abstract class PoolStopConformance extends PoolConformance {
  private static final Duration SHORT = Duration.ofMillis(300);

  /** For subclasses. */
  protected PoolStopConformance() {}

  /** A handler whose calls do not return before its gate is open. */
  private static final class GatedHandler implements JobHandler {
    final CountDownLatch gate = new CountDownLatch(1);
    final List<String> stops = new CopyOnWriteArrayList<>();
    final List<String> notifications = new CopyOnWriteArrayList<>();

    @Override
    public void start(Job job) {}

    @Override
    public void stop(String key) throws Exception {
      gate.await();
      stops.add(key);
    }

    @Override
    public void notification(String key, byte[] payload) throws Exception {
      gate.await();
      notifications.add(text(payload));
    }
  }

  @Test
  void jobWithAFullBoxOfNotificationsCanBeStopped() {
    PoolNode node = node();
    GatedHandler handler = new GatedHandler();
    node.addWorker(handler);
    node.dispatch("a", bytes("x"));
    PoolClient hasty =
        pulse().poolClient(POOL, quick().andThen(o -> o.withDispatchTimeout(SHORT))::apply);
    for (int i = 0; i < 1_000; i++) {
      assertThat(hasty.notifyJob("a", bytes("" + i))).isTrue();
    }

    assertThatThrownBy(() -> hasty.notifyJob("a", bytes("one more")))
        .isInstanceOf(PoolFullException.class)
        .hasMessageContaining("1,000 notifications");
    assertThatThrownBy(() -> hasty.stop("a")).isInstanceOf(DispatchTimeoutException.class);
    handler.gate.countDown();

    eventually("it is stopped", () -> node.job("a").isEmpty());
    assertThat(handler.notifications).hasSize(1_000).startsWith("0", "1").endsWith("999");
    assertThat(handler.stops).containsExactly("a");
    assertThat(errors()).isEmpty();
  }

  @Test
  void jobThatIsStoppedBehindABusyRunnerIsNeverRun() throws Exception {
    PoolNode node = node();
    CountDownLatch gate = new CountDownLatch(1);
    List<String> ran = new CopyOnWriteArrayList<>();
    node.addRunner(
        job -> {
          ran.add(job.key());
          gate.await();
        },
        1);
    node.dispatch("busy", bytes(""));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> waiting = threads.submit(() -> node.dispatch("behind", bytes("")));
      eventually("it is at the worker", () -> isAssigned(node, "behind"));

      assertThat(node.stop("behind")).isTrue();

      assertThatThrownBy(waiting::get)
          .hasCauseInstanceOf(JobFailedException.class)
          .hasMessageContaining("stopped before it was started");
    }
    gate.countDown();
    eventually("the other is done", () -> node.jobKeys().isEmpty());
    node.dispatch("next", bytes(""));
    eventually("the worker goes on", () -> node.jobKeys().isEmpty());
    assertThat(ran).containsExactly("busy", "next");
  }

  private static boolean isAssigned(PoolClient client, String key) {
    return client.job(key).filter(job -> job.state() == JobInfo.State.ASSIGNED).isPresent();
  }

  @Test
  void notificationForAJobThatEndsIsDroppedAndReported() {
    PoolNode node = node();
    CountDownLatch gate = new CountDownLatch(1);
    node.addRunner(job -> gate.await());
    node.dispatch("a", bytes(""));

    assertThat(node.notifyJob("a", bytes("x"))).isTrue();

    eventually("a report", () -> !errors().isEmpty());
    assertThat(errors().getFirst())
        .hasMessageContaining("1 notifications for the job a are dropped");
    assertThat(node.job("a")).as("it goes on").isPresent();
    gate.countDown();
    eventually("it is done", () -> node.jobKeys().isEmpty());
    assertThat(node.deadJobs()).isEmpty();
  }

  @Test
  void closeDoesNotWaitForAHandlerThatHangsAndWorksWhenItNoLongerDoes() throws Exception {
    PoolNode one = another().pool(POOL, quick().andThen(o -> o.withDrainTime(SHORT))::apply);
    GatedHandler hanging = new GatedHandler();
    one.addWorker(hanging);
    one.dispatch("a", bytes("x"));
    RecordingHandler second = new RecordingHandler();
    node().addWorker(second);

    within(
        Duration.ofSeconds(10),
        "a close in vain",
        () ->
            assertThatThrownBy(one::close)
                .isInstanceOf(PoolException.class)
                .hasMessageContaining("did not stop its jobs within"));
    assertThat(one.isClosed()).isFalse();
    assertThat(second.starts()).as("it may still run there").isEmpty();

    hanging.gate.countDown();
    eventually("it closes", () -> closes(one));
    eventuallyRun(Set.of("a"), second);
    assertThat(hanging.stops).containsExactly("a");
  }

  private static boolean closes(PoolNode node) {
    try {
      node.close();
      return true;
    } catch (PoolException notYet) {
      return false;
    }
  }

  @Test
  void jobThatCouldNotBeStoppedToMoveIsTriedAgain() {
    leaseIs(Duration.ofSeconds(3));
    PoolNode node = node();
    RecordingHandler first = new RecordingHandler();
    node.addWorker(first);
    // Of one worker it is the first one's, of two the second one's.
    node.dispatch("beta", bytes("x"));
    first.failStop("beta", true);
    RecordingHandler second = new RecordingHandler();
    node.addWorker(second);
    eventually("the failure is told", () -> !errors().isEmpty());
    assertThat(errors().getFirst()).hasMessageContaining("beta");
    assertThat(first.running()).containsExactly("beta");

    first.failStop("beta", false);

    eventuallyRun(Set.of("beta"), second);
    assertThat(first.running()).isEmpty();
    assertThat(first.stops()).containsExactly("beta");
    assertNoMistakes(first, second);
  }
}
