package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.pool.Job;
import dev.tidemark.pulse.pool.JobFailedException;
import dev.tidemark.pulse.pool.JobHandler;
import dev.tidemark.pulse.pool.JobInfo;
import dev.tidemark.pulse.pool.PoolClient;
import dev.tidemark.pulse.pool.PoolClosedException;
import dev.tidemark.pulse.pool.PoolException;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.pulse.pool.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who has a job while workers and nodes come and go in good order, on any store. */
public abstract class PoolOwnershipConformance extends PoolConformance {
  /** For subclasses. */
  protected PoolOwnershipConformance() {}

  @Test
  void joiningWorkerGetsItsShareAndNothingElseMoves() {
    PoolNode one = node();
    RecordingHandler first = new RecordingHandler();
    one.addWorker(first);
    Set<String> keys = keys("job-", 40);
    dispatchAll(one, keys);

    RecordingHandler second = new RecordingHandler();
    Worker joined = node().addWorker(second);

    eventually("the new worker has jobs", () -> !second.running().isEmpty());
    eventuallyRun(keys, first, second);
    assertThat(first.stops()).hasSameElementsAs(second.running());
    assertThat(second.starts()).hasSameSizeAs(second.running());
    for (Job job : second.starts()) {
      assertThat(job.requeued()).isTrue();
      assertThat(text(job.payload())).isEqualTo(job.key());
      assertThat(one.job(job.key()).orElseThrow().owner()).contains(joined.id());
    }
    assertNoMistakes(first, second);
  }

  @Test
  void closedNodeHandsItsJobsOver() {
    PoolNode one = node();
    PoolNode two = node();
    RecordingHandler first = new RecordingHandler();
    RecordingHandler second = new RecordingHandler();
    Worker closing = one.addWorker(first);
    two.addWorker(second);
    Set<String> keys = keys("job-", 20);
    dispatchAll(two, keys);

    one.close();

    assertThat(first.running()).isEmpty();
    eventuallyRun(keys, second);
    assertThat(one.isClosed()).isTrue();
    assertThat(one.isPoolShutDown()).isFalse();
    assertThat(closing.isRemoved()).isTrue();
    assertThat(closing.jobs()).isEmpty();
    assertThat(two.workers()).hasSize(1);
    one.close();
    one.shutDownPool();
    assertThatThrownBy(() -> one.addWorker(first)).isInstanceOf(PoolClosedException.class);
    assertNoMistakes(first, second);
  }

  @Test
  void nodeThatAnInterruptedThreadClosesHandsItsJobsOver() {
    PoolNode one = node();
    PoolNode two = node();
    RecordingHandler first = new RecordingHandler();
    RecordingHandler second = new RecordingHandler();
    Worker removed = one.addWorker(first);
    one.addWorker(first);
    two.addWorker(second);
    Set<String> keys = keys("job-", 20);
    dispatchAll(two, keys);

    Thread.currentThread().interrupt();
    one.removeWorker(removed);
    one.close();

    assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();
    assertThat(first.running()).isEmpty();
    eventuallyRun(keys, second);
    assertThat(two.workers()).hasSize(1);
    assertNoMistakes(first, second);
  }

  @Test
  void jobsOfThreeNodesSurviveTheCloseOfTwoOfThem() throws Exception {
    List<PoolNode> nodes = List.of(node(), node(), node());
    List<RecordingHandler> handlers = new ArrayList<>();
    for (PoolNode node : nodes) {
      RecordingHandler handler = new RecordingHandler();
      handlers.add(handler);
      node.addWorker(handler);
    }
    Set<String> keys = keys("job-", 25);
    dispatchAll(nodes.get(2), keys);

    Thread other = Thread.ofVirtual().start(nodes.get(0)::close);
    nodes.get(1).close();
    other.join();

    eventuallyRun(keys, handlers.get(2));
    assertNoMistakes(handlers.toArray(RecordingHandler[]::new));
  }

  @Test
  void removedWorkerHasNoJobsAndTheOthersHaveThem() {
    PoolNode node = node();
    RecordingHandler first = new RecordingHandler();
    RecordingHandler second = new RecordingHandler();
    Worker removed = node.addWorker(first);
    node.addWorker(second);
    Set<String> keys = keys("job-", 20);
    dispatchAll(node, keys);

    node.removeWorker(removed);
    node.removeWorker(removed);

    assertThat(removed.jobs()).isEmpty();
    assertThat(removed.isRemoved()).isTrue();
    assertThat(node.localWorkers()).hasSize(1);
    eventuallyRun(keys, second);
    assertThat(node.jobKeys()).containsExactlyElementsOf(keys);
    node.shutDownPool();
    assertThat(second.running()).isEmpty();
  }

  @Test
  void jobsWithoutAnyWorkerWaitWithTheirNotificationsForTheNext() {
    PoolNode one = node();
    one.addWorker(new RecordingHandler());
    PoolClient client = client();
    client.dispatch("a", bytes("x"));
    client.dispatch("b", bytes("y"));
    one.close();

    assertThat(client.job("a").orElseThrow().state()).isEqualTo(JobInfo.State.WAITING);
    assertThat(client.notifyJob("a", bytes("1"))).isTrue();
    assertThat(client.notifyJob("a", bytes("2"))).isTrue();
    assertThat(client.notifyJob("unknown", bytes("3"))).isFalse();
    assertThat(client.stop("b")).isTrue();
    RecordingHandler handler = new RecordingHandler();
    node().addWorker(handler);

    eventually("both arrive", () -> handler.notifications().size() == 2);
    assertThat(handler.notifications()).containsExactly("a=1", "a=2");
    assertThat(handler.running()).containsExactly("a");
    assertThat(handler.starts().getFirst().requeued()).isTrue();
  }

  @Test
  void handlerWithoutNotificationsKeepsItsJob() {
    PoolNode node = node();
    node.addWorker(
        new JobHandler() {
          @Override
          public void start(Job job) {}

          @Override
          public void stop(String key) {}
        });
    node.dispatch("a", bytes(""));

    assertThat(node.notifyJob("a", bytes("x"))).isTrue();

    eventually("the failure is told", () -> !errors().isEmpty());
    assertThat(errors().getFirst()).hasMessageContaining("notification");
    assertThat(node.job("a").orElseThrow().state()).isEqualTo(JobInfo.State.RUNNING);
    assertThat(node.stop("a")).isTrue();
  }

  @Test
  void jobThatCannotBeStoppedGoesOnAndTheCallerIsTold() {
    PoolNode node = node();
    RecordingHandler handler = new RecordingHandler();
    node.addWorker(handler);
    node.dispatch("a", bytes(""));
    handler.failStop("a", true);

    assertThatThrownBy(() -> node.stop("a"))
        .isInstanceOf(JobFailedException.class)
        .hasMessageContaining("cannot stop a");
    assertThat(handler.running()).containsExactly("a");
    assertThat(node.job("a").orElseThrow().state()).isEqualTo(JobInfo.State.RUNNING);

    handler.failStop("a", false);
    assertThat(node.stop("a")).isTrue();
    assertThat(handler.running()).isEmpty();
  }

  @Test
  void failedStopIsReportedByCloseWhichCanBeRepeated() {
    PoolNode one = node();
    RecordingHandler first = new RecordingHandler();
    one.addWorker(first);
    Set<String> keys = keys("job-", 10);
    dispatchAll(one, keys);
    RecordingHandler second = new RecordingHandler();
    PoolNode two = node();
    first.failStop("job-3", true);
    one.addWorker(new RecordingHandler());
    two.addWorker(second);

    assertThatThrownBy(one::close).isInstanceOf(PoolException.class).hasMessageContaining("job-3");
    assertThat(one.isClosed()).isFalse();
    assertThat(first.running()).containsExactly("job-3");
    assertThat(first.stops()).doesNotHaveDuplicates().doesNotContain("job-3");
    assertThat(one.job("job-3")).as("a node that is leaving can be asked").isPresent();
    assertThatThrownBy(() -> one.dispatch("more", bytes("")))
        .isInstanceOf(PoolClosedException.class);

    first.failStop("job-3", false);
    one.close();
    assertThat(one.isClosed()).isTrue();
    eventuallyRun(keys, second);
    assertThat(new HashSet<>(first.stops())).hasSameSizeAs(first.stops());
  }

  @Test
  void closedPulseEndsItsNodesThoughAHandlerCannotStop() {
    leaseIs(TTL);
    Pulse pulse = open();
    RecordingHandler stubborn = new RecordingHandler();
    PoolNode one = node(pulse);
    one.addWorker(stubborn);
    one.dispatch("a", bytes("x"));
    stubborn.failStop("a", true);
    RecordingHandler second = new RecordingHandler();
    node().addWorker(second);

    assertThatThrownBy(pulse::close).isInstanceOf(PoolException.class).hasMessageContaining("a");
    assertThat(one.isClosed()).isTrue();
    pulse.close();

    eventuallyRun(Set.of("a"), second);
  }

  @Test
  void jobThatRanBeforeIsKeptWhenItsNewWorkerCannotStartIt() {
    PoolNode one = node();
    one.addWorker(new RecordingHandler());
    one.dispatch("a", bytes("x"));
    RecordingHandler second = new RecordingHandler();
    second.failStart("a", true);
    PoolNode two = node();
    two.addWorker(second);
    one.close();

    eventually("it is tried again", () -> second.starts().size() >= 3);
    assertThat(two.jobPayload("a").map(PulseConformance::text)).contains("x");
    second.failStart("a", false);
    eventuallyRun(Set.of("a"), second);
    assertThat(second.starts()).extracting(Job::requeued).containsOnly(true);
  }

  @Test
  void shutdownStopsEveryJobOnceOnAllNodesAndThePoolCanBeUsedAnew() {
    PoolNode one = node();
    PoolNode two = node();
    RecordingHandler first = new RecordingHandler();
    RecordingHandler second = new RecordingHandler();
    one.addWorker(first);
    two.addWorker(second);
    Set<String> keys = keys("job-", 20);
    dispatchAll(one, keys);

    one.shutDownPool();

    eventually("the other node is closed", two::isClosed);
    assertThat(one.isPoolShutDown()).isTrue();
    assertThat(two.isPoolShutDown()).isTrue();
    List<String> stops = new ArrayList<>(first.stops());
    stops.addAll(second.stops());
    assertThat(stops).containsExactlyInAnyOrderElementsOf(keys);
    assertThat(client().jobKeys()).isEmpty();
    assertThat(client().workers()).isEmpty();
    assertThatThrownBy(() -> two.dispatch("x", bytes(""))).isInstanceOf(PoolClosedException.class);

    RecordingHandler third = new RecordingHandler();
    PoolNode fresh = node();
    fresh.addWorker(third);
    fresh.dispatch("job-1", bytes(""));
    assertThat(third.running()).containsExactly("job-1");
    assertNoMistakes(first, second, third);
  }

  @Test
  void shutdownThatIsCalledAgainWaitsForTheNodesThatAreLeft() {
    PoolNode one =
        another().pool(POOL, quick().andThen(o -> o.withDrainTime(Duration.ofMillis(300)))::apply);
    RecordingHandler stubborn = new RecordingHandler();
    PoolNode two = node();
    two.addWorker(stubborn);
    two.dispatch("a", bytes("x"));
    stubborn.failStop("a", true);

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(one::shutDownPool)
          .as("call " + i)
          .isInstanceOf(PoolException.class)
          .hasMessageContaining(two.id());
    }
    assertThat(one.isPoolShutDown()).isTrue();
    assertThatThrownBy(this::node).isInstanceOf(PoolClosedException.class);

    stubborn.failStop("a", false);
    two.shutDownPool();
    one.shutDownPool();
    assertThat(stubborn.stops()).containsExactly("a");
    PoolNode fresh = node();
    one.shutDownPool();
    two.shutDownPool();
    assertThat(fresh.isClosed()).as("the pool in its next life").isFalse();
  }

  @Test
  void nodeWithOtherSharedOptionsIsRefusedWhileOthersAreThere() {
    PoolNode one = node();
    one.addWorker(new RecordingHandler());

    assertThatThrownBy(
            () ->
                pulse()
                    .pool(POOL, quick().andThen(o -> o.withWorkerTtl(LEASE.plusMillis(1)))::apply))
        .isInstanceOf(PoolException.class)
        .hasMessageContaining("workerTtl=10001 ms")
        .hasMessageContaining("10000 ms");
    assertThatThrownBy(() -> pulse().pool(POOL, quick().andThen(o -> o.withQueuedMax(7))::apply))
        .isInstanceOf(PoolException.class)
        .hasMessageContaining("queuedMax=7")
        .hasMessageContaining("1000");
    assertThat(one.workers()).hasSize(1);

    one.close();
    PoolNode changed = pulse().pool(POOL, quick().andThen(o -> o.withQueuedMax(7))::apply);
    assertThat(changed.workers()).isEmpty();
  }

  @Test
  void rollingReplacementOfFiveWorkersRestartsEachJobAboutTwice() {
    PoolNode node = node();
    List<RecordingHandler> handlers = new ArrayList<>();
    List<Worker> old = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      handlers.add(new RecordingHandler());
      old.add(node.addWorker(handlers.getLast()));
    }
    Set<String> keys = keys("job-", 100);
    dispatchAll(node, keys);

    for (Worker worker : old) {
      node.removeWorker(worker);
      eventuallyRun(keys, handlers.toArray(RecordingHandler[]::new));
      handlers.add(new RecordingHandler());
      node.addWorker(handlers.getLast());
      eventually("the new worker has its share", () -> !handlers.getLast().running().isEmpty());
      eventuallyRun(keys, handlers.toArray(RecordingHandler[]::new));
      settle(node, handlers);
    }

    int starts = handlers.stream().mapToInt(handler -> handler.starts().size()).sum();
    assertThat(starts - keys.size()).isLessThanOrEqualTo(220);
    assertNoMistakes(handlers.toArray(RecordingHandler[]::new));
  }

  /** Waits until no job is on its way from one worker to another. */
  private static void settle(PoolNode node, List<RecordingHandler> handlers) {
    eventually(
        "nothing moves",
        () -> {
          int before = starts(handlers);
          pause(Duration.ofMillis(50));
          return before == starts(handlers)
              && node.jobKeys().stream()
                  .allMatch(key -> node.job(key).orElseThrow().state() == JobInfo.State.RUNNING);
        });
  }

  private static int starts(List<RecordingHandler> handlers) {
    return handlers.stream().mapToInt(handler -> handler.starts().size()).sum();
  }
}
