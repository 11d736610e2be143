package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.UsageException;
import dev.tidemark.pulse.pool.ConflictingDispatchException;
import dev.tidemark.pulse.pool.DispatchOptions;
import dev.tidemark.pulse.pool.DispatchTimeoutException;
import dev.tidemark.pulse.pool.Job;
import dev.tidemark.pulse.pool.JobExistsException;
import dev.tidemark.pulse.pool.JobFailedException;
import dev.tidemark.pulse.pool.JobHandler;
import dev.tidemark.pulse.pool.JobInfo;
import dev.tidemark.pulse.pool.PoolClient;
import dev.tidemark.pulse.pool.PoolClosedException;
import dev.tidemark.pulse.pool.PoolException;
import dev.tidemark.pulse.pool.PoolFullException;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.pulse.pool.PoolOptions;
import dev.tidemark.pulse.pool.RetryPolicy;
import dev.tidemark.pulse.pool.Worker;
import dev.tidemark.pulse.pool.WorkerInfo;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** How jobs come into a pool and to their workers, on any store. */
public abstract class PoolDispatchConformance extends PoolConformance {
  /** For subclasses. */
  protected PoolDispatchConformance() {}

  @Test
  void workersOfANodeAreListed() {
    PoolNode node = node();
    List<Worker> added =
        List.of(
            node.addWorker(new RecordingHandler()),
            node.addWorker(new RecordingHandler()),
            node.addWorker(new RecordingHandler()));

    assertThat(node.localWorkers()).containsExactlyElementsOf(added);
    assertThat(node.workers())
        .extracting(WorkerInfo::id)
        .containsExactlyElementsOf(added.stream().map(Worker::id).toList());
  }

  @Test
  void workersOfAllNodesAreListedByEach() {
    PoolNode one = node();
    PoolNode two = node();
    Worker first = one.addWorker(new RecordingHandler());
    Worker second = two.addWorker(new RecordingHandler());

    for (PoolClient client : List.of(one, two, client())) {
      assertThat(client.workers())
          .containsExactly(
              new WorkerInfo(first.id(), one.id(), 0), new WorkerInfo(second.id(), two.id(), 1));
    }
  }

  @Test
  void keysOfAllJobsAreListedByEveryNode() {
    PoolNode one = node();
    PoolNode two = node();
    one.addWorker(new RecordingHandler());
    two.addWorker(new RecordingHandler());
    Set<String> keys = keys("job-", 4);
    dispatchAll(one, keys);

    assertThat(two.jobKeys()).containsExactlyElementsOf(keys);
  }

  @Test
  void payloadIsThereUntilTheJobIsStopped() {
    PoolNode node = node();
    node.addWorker(new RecordingHandler());
    node.dispatch("full", bytes("x"));
    node.dispatch("empty", new byte[0]);

    assertThat(node.jobPayload("full").map(PulseConformance::text)).contains("x");
    assertThat(node.jobPayload("empty").map(PulseConformance::text)).contains("");
    assertThat(node.jobPayload("absent")).isEmpty();

    assertThat(node.stop("full")).isTrue();
    assertThat(node.jobPayload("full")).isEmpty();
  }

  @Test
  void jobRunsAtTheOnlyWorkerWithItsPayload() {
    PoolNode node = node();
    RecordingHandler handler = new RecordingHandler();
    Worker worker = node.addWorker(handler);

    node.dispatch("user:1", bytes("hello"));

    Job job = handler.starts().getFirst();
    assertThat(job.key()).isEqualTo("user:1");
    assertThat(text(job.payload())).isEqualTo("hello");
    assertThat(job.requeued()).isFalse();
    assertThat(job.attempt()).isEqualTo(1);
    assertThat(job.isLost()).isFalse();
    assertThat(worker.jobs()).containsExactly("user:1");
    JobInfo info = node.job("user:1").orElseThrow();
    assertThat(info.state()).isEqualTo(JobInfo.State.RUNNING);
    assertThat(info.owner()).contains(worker.id());
    assertThat(info.createdAt()).isEqualTo(job.createdAt());
  }

  @Test
  void handlerThatLeavesItsThreadInterruptedGetsWhatFollows() {
    PoolNode node = node();
    RecordingHandler handler = new RecordingHandler();
    node.addWorker(new Interrupting(handler));

    for (String key : keys("job-", 3)) {
      node.dispatch(key, bytes("x"));
      node.notifyJob(key, bytes("news"));
      eventually("the notification", () -> handler.notifications().contains(key + "=news"));
      assertThat(node.stop(key)).isTrue();
    }
    assertThat(handler.stops()).containsExactlyElementsOf(keys("job-", 3));
    assertNoMistakes(handler);
  }

  /** Leaves the thread of each call interrupted. */
  private record Interrupting(RecordingHandler handler) implements JobHandler {
    @Override
    public void start(Job job) {
      handler.start(job);
      Thread.currentThread().interrupt();
    }

    @Override
    public void stop(String key) {
      handler.stop(key);
      Thread.currentThread().interrupt();
    }

    @Override
    public void notification(String key, byte[] payload) {
      handler.notification(key, payload);
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void keysThatAreHashedApartGoToTwoWorkers() {
    PoolNode node = node();
    RecordingHandler first = new RecordingHandler();
    RecordingHandler second = new RecordingHandler();
    node.addWorker(first);
    node.addWorker(second);

    // By the vectors of the hash, of two buckets these two have the first and the second.
    node.dispatch("alpha", bytes(""));
    node.dispatch("beta", bytes(""));

    assertThat(first.running()).containsExactly("alpha");
    assertThat(second.running()).containsExactly("beta");
  }

  @Test
  void sameKeyFromTwoNodesAtOnceIsTakenOnce() throws Exception {
    PoolNode one = node();
    PoolNode two = node();
    RecordingHandler handler = new RecordingHandler();
    one.addWorker(handler);
    for (int round = 0; round < 5; round++) {
      String key = "key-" + round;
      List<Boolean> taken = together(List.of(() -> isTaken(one, key), () -> isTaken(two, key)));
      assertThat(taken).containsExactlyInAnyOrder(true, false);
    }
    assertThat(handler.starts()).hasSize(5);
    assertNoMistakes(handler);
  }

  @Test
  void oneOfTwentyClaimsIsAdmitted() throws Exception {
    node().addWorker(new RecordingHandler());
    PoolClient client = client();
    List<Callable<Boolean>> calls = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      calls.add(() -> isTaken(client, "one"));
    }

    assertThat(together(calls)).containsOnlyOnce(true);
  }

  @Test
  void runningJobIsNotDispatchedAgain() {
    PoolNode one = node();
    one.addWorker(new RecordingHandler());
    one.dispatch("a", bytes("1"));

    assertThatThrownBy(() -> node().dispatch("a", bytes("2")))
        .isInstanceOf(JobExistsException.class)
        .hasMessageContaining("a")
        .hasMessageContaining("RUNNING");
    assertThat(one.jobPayload("a").map(PulseConformance::text)).contains("1");

    one.stop("a");
    one.dispatch("a", bytes("3"));
    assertThat(one.jobPayload("a").map(PulseConformance::text)).contains("3");
  }

  @Test
  void epochOfAKeyGrowsFromOneLifeOfItToTheNext() {
    PoolNode node = node();
    RecordingHandler handler = new RecordingHandler();
    node.addWorker(handler);
    for (int i = 0; i < 3; i++) {
      node.dispatch("a", bytes(""));
      node.stop("a");
    }

    assertThat(handler.starts()).extracting(Job::epoch).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void failedStartIsToldToTheCallerAndLeavesNothing() {
    PoolNode node = node();
    RecordingHandler handler = new RecordingHandler();
    Worker worker = node.addWorker(handler);
    handler.failStart("bad", true);

    assertThatThrownBy(() -> client().dispatch("bad", bytes("x")))
        .isInstanceOf(JobFailedException.class)
        .hasMessageContaining("cannot start bad");
    assertThat(errors()).as("what the caller knows").isEmpty();
    assertThat(node.job("bad")).isEmpty();
    assertThat(node.jobPayload("bad")).isEmpty();
    assertThat(worker.jobs()).isEmpty();

    handler.failStart("bad", false);
    node.dispatch("bad", bytes("y"));
    assertThat(handler.running()).containsExactly("bad");
  }

  @Test
  void failedStartThatNobodyWaitsForIsReported() {
    PoolNode node = node();
    RecordingHandler handler = new RecordingHandler();
    node.addWorker(handler);
    handler.failStart("bad", true);

    node.dispatch("bad", bytes("x"), o -> o.withDelay(Duration.ofMillis(1)));

    eventually("a report", () -> !errors().isEmpty());
    assertThat(errors())
        .singleElement()
        .satisfies(
            report ->
                assertThat(report)
                    .hasMessageContaining("The job bad failed at attempt 1 of 1 and is dead")
                    .hasMessageContaining("cannot start bad"));
    assertThat(node.deadJobs()).extracting(JobInfo::key).containsExactly("bad");
  }

  @Test
  void failedStartIsKeptIfItsDispatcherWasInterrupted() throws Exception {
    PoolNode node = node();
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    node.addWorker(
        new JobHandler() {
          @Override
          public void start(Job job) throws Exception {
            started.countDown();
            go.await();
            throw new IllegalStateException("no luck");
          }

          @Override
          public void stop(String key) {}
        });
    Thread dispatcher = Thread.ofVirtual().start(() -> client().dispatch("job", bytes("x")));
    started.await();
    dispatcher.interrupt();
    dispatcher.join();
    go.countDown();

    eventually("the failed job is dead", () -> node.deadJobs().size() == 1);
    assertThat(node.deadJobs().getFirst().failure())
        .hasValueSatisfying(text -> assertThat(text).contains("no luck"));
    assertThat(node.jobPayload("job")).contains(bytes("x"));
  }

  @Test
  void thirdJobIsRefusedAtOnceWhenTwoMayWait() {
    PoolClient client =
        pulse()
            .poolClient(
                POOL, quick().andThen(o -> o.withQueuedMax(2).withDispatchTimeout(TTL))::apply);
    for (String key : List.of("a", "b")) {
      assertThatThrownBy(() -> client.dispatch(key, bytes("")))
          .isInstanceOf(DispatchTimeoutException.class);
    }

    assertThatThrownBy(() -> client.dispatch("c", bytes("")))
        .isInstanceOf(PoolFullException.class)
        .hasMessageContaining("queuedMax");
    assertThat(client.jobKeys()).containsExactly("a", "b");
    assertThat(client.job("a").orElseThrow().state()).isEqualTo(JobInfo.State.WAITING);
  }

  @Test
  void startedAndStoppedJobsMakeRoomForOthers() {
    PoolNode node = another().pool(POOL, quick().andThen(o -> o.withQueuedMax(1))::apply);
    RecordingHandler handler = new RecordingHandler();
    node.addWorker(handler);
    handler.failStart("bad", true);
    for (int i = 0; i < 20; i++) {
      node.dispatch("job-" + i, bytes(""));
      assertThatThrownBy(() -> node.dispatch("bad", bytes("")))
          .isInstanceOf(JobFailedException.class);
    }

    assertThat(handler.running()).hasSize(20);
  }

  @Test
  void jobsDispatchedBeforeTheFirstWorkerStartWhenItAppears() throws Exception {
    PoolClient client = client();
    RecordingHandler handler = new RecordingHandler();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> waiting = threads.submit(() -> client.dispatch("early", bytes("x")));
      eventually("the job waits", () -> client.job("early").isPresent());
      node().addWorker(handler);
      waiting.get();
    }

    assertThat(handler.running()).containsExactly("early");
  }

  @Test
  void dispatchTwiceWithOneIdIsOneJobWithOneOutcome() {
    PoolNode node = node();
    RecordingHandler handler = new RecordingHandler();
    node.addWorker(handler);
    handler.failStart("bad", true);

    node.dispatchOnce("id-1", "a", bytes("x"));
    node.dispatchOnce("id-1", "a", bytes("x"));
    client().dispatchOnce("id-1", "a", bytes("x"));
    assertThat(handler.starts()).hasSize(1);

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> node.dispatchOnce("id-2", "bad", bytes("")))
          .isInstanceOf(JobFailedException.class)
          .hasMessageContaining("cannot start bad");
    }
    assertThat(handler.starts()).hasSize(2);

    assertThatThrownBy(() -> node.dispatchOnce("id-1", "a", bytes("other")))
        .isInstanceOf(ConflictingDispatchException.class)
        .hasMessageContaining("id-1");
    assertThatThrownBy(() -> node.dispatchOnce("id-3", "a", bytes("x")))
        .isInstanceOf(JobExistsException.class);
  }

  /** Only one of the two is told by the worker; the other finds what is remembered. */
  @Test
  void twoWhoWaitForOneIdBothLearnThatTheJobHasStarted() throws Exception {
    PoolClient one = client();
    PoolClient two = another().poolClient(POOL, quick());
    RecordingHandler handler = new RecordingHandler();
    Callable<Boolean> first = () -> dispatchedOnce(one);
    Callable<Boolean> second = () -> dispatchedOnce(two);
    Callable<Boolean> worker =
        () -> {
          eventually("the pool has the job", () -> one.job("a").isPresent());
          node().addWorker(handler);
          return true;
        };

    assertThat(together(List.of(first, second, worker))).containsExactly(true, true, true);
    assertThat(handler.starts()).hasSize(1);
  }

  private static boolean dispatchedOnce(PoolClient client) {
    client.dispatchOnce("id", "a", bytes("x"));
    return true;
  }

  @Test
  void dispatchThatItsOwnCloseCutsOffSaysSo() throws Exception {
    PoolClient client = client();
    Callable<Boolean> dispatch =
        () -> {
          assertThatThrownBy(() -> client.dispatch("a", bytes("")))
              .isInstanceOf(PoolClosedException.class)
              .hasMessageContaining("keeps it");
          return true;
        };
    Callable<Boolean> close =
        () -> {
          eventually("the pool has the job", () -> client.job("a").isPresent());
          client.close();
          return true;
        };

    assertThat(together(List.of(dispatch, close))).containsExactly(true, true);
  }

  @Test
  @SuppressWarnings("NullAway") // on purpose
  void nullIsRefusedWithItsName() {
    PoolNode node = node();
    byte[] some = bytes("x");

    assertNull("The payload", () -> node.dispatch("a", null));
    assertNull("A key", () -> node.dispatch(null, some));
    assertNull("The change of the options", () -> node.dispatch("a", some, null));
    assertThatNullPointerException()
        .isThrownBy(() -> node.dispatch("a", some, o -> null))
        .withMessageContaining("The change of the options gives null");
    assertNull("The transaction", () -> node.dispatch(null, "a", some));
    assertNull("An id", () -> node.dispatchOnce(null, "a", some));
    assertNull("A key", () -> node.send(null, some));
    assertNull("A key", () -> node.stop(null));
    assertNull("A key", () -> node.notifyJob(null, some));
    assertNull("The payload", () -> node.notifyJob("a", null));
    assertNull("A key", () -> node.job(null));
    assertNull("A key", () -> node.jobPayload(null));
    assertNull("A key", () -> node.replay(null));
    assertNull("cron expression", () -> node.cron("c", null, ZoneOffset.UTC, "a", some));
    assertNull("The zone", () -> node.cron("c", "@daily", null, "a", some));
    assertNull("name of a cron schedule", () -> node.removeCron(null));
    assertThat(node.jobKeys()).isEmpty();
  }

  @Test
  @SuppressWarnings("NullAway") // on purpose
  void nullWorkersAndOptionsAreRefusedWithTheirNames() {
    PoolNode node = node();

    assertNull("The handler", () -> node.addWorker(null));
    assertNull("The runner", () -> node.addRunner(null));
    assertNull("The runner", () -> node.addTransactionalRunner(null, 1));
    assertNull("The worker", () -> node.removeWorker(null));
    assertNull("The planner", () -> node.schedule("plan", TTL, null));
    assertNull("The interval of the ticker tick", () -> node.ticker("tick", null));
    assertNull("name of a ticker", () -> node.ticker(null, TTL));
    assertNull("workerTtl", () -> PoolOptions.DEFAULTS.withWorkerTtl(null));
    assertNull("retry", () -> PoolOptions.DEFAULTS.withRetry(null));
    assertNull("onError", () -> PoolOptions.DEFAULTS.withOnError(null));
    assertThat(node.workers()).isEmpty();
  }

  private static void assertNull(String name, ThrowingCallable call) {
    assertThatNullPointerException().isThrownBy(call).withMessageContaining(name + " is null");
  }

  private static void assertClosed(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(PoolClosedException.class).hasMessageContaining(POOL);
  }

  @Test
  void closedClientRefusesEverything() {
    PoolClient client = client();
    client.close();
    byte[] some = bytes("x");

    assertClosed(() -> client.dispatch("a", some));
    assertClosed(() -> client.dispatch("a", some, o -> o.withDelay(TTL)));
    assertClosed(() -> client.dispatchOnce("id", "a", some));
    assertClosed(() -> client.send("a", some));
    assertClosed(() -> client.stop("a"));
    assertClosed(() -> client.notifyJob("a", some));
    assertClosed(client::jobKeys);
    assertClosed(() -> client.jobPayload("a"));
    assertClosed(() -> client.job("a"));
    assertClosed(client::workers);
    assertClosed(client::deadJobs);
    assertClosed(() -> client.replay("a"));
    assertClosed(() -> client.cron("c", "@daily", ZoneOffset.UTC, "a", some));
    assertClosed(() -> client.removeCron("c"));
    assertClosed(client::crons);
    assertThat(client.isClosed()).isTrue();
    assertThat(client.name()).isEqualTo(POOL);
    PoolClient open = client();
    assertThat(open.jobKeys()).isEmpty();
    assertThat(open.crons()).isEmpty();
  }

  @Test
  void defaultsAreThoseOfTheDocumentation() {
    PoolOptions options = PoolOptions.DEFAULTS;
    assertThat(options.workerTtl()).isEqualTo(Duration.ofSeconds(30));
    assertThat(options.restartGrace()).isEqualTo(Duration.ofSeconds(20));
    assertThat(options.queuedMax()).isEqualTo(1_000);
    assertThat(options.drainTime()).isEqualTo(Duration.ofMinutes(2));
    assertThat(options.dispatchTimeout()).isEqualTo(Duration.ofSeconds(40));
    assertThat(options.resultsFor()).isEqualTo(Duration.ofMinutes(5));
    assertThat(options.retry()).isEqualTo(RetryPolicy.NONE);
    assertThat(options.onError()).isSameAs(PoolOptions.LOG);
    assertThat(DispatchOptions.DEFAULTS.delay()).isEmpty();
    assertThat(DispatchOptions.DEFAULTS.at()).isEmpty();
    assertThat(DispatchOptions.DEFAULTS.retry()).isEmpty();
  }

  @Test
  void outcomeOfADispatchIsForgottenAfterItsTime() {
    PoolNode node =
        another().pool(POOL, quick().andThen(o -> o.withResultsFor(Duration.ofMillis(50)))::apply);
    node.addWorker(new RecordingHandler());
    node.dispatchOnce("id", "a", bytes("1"));
    node.stop("a");

    eventually(
        "the id can be used anew",
        () -> {
          try {
            node.dispatchOnce("id", "a", bytes("2"));
            return true;
          } catch (PoolException used) {
            return false;
          }
        });
  }

  @Test
  void clientDispatchesStopsAndNotifiesAndClosesCleanly() {
    PoolNode node = node();
    RecordingHandler handler = new RecordingHandler();
    node.addWorker(handler);
    PoolClient client = client();

    client.dispatch("a", bytes("x"));
    assertThat(client.notifyJob("a", bytes("hi"))).isTrue();
    eventually("the notification arrives", () -> handler.notifications().contains("a=hi"));
    assertThat(client.stop("a")).isTrue();
    assertThat(client.stop("a")).isFalse();
    client.close();
    client.close();

    assertThat(client.isClosed()).isTrue();
    assertThatThrownBy(() -> client.dispatch("b", bytes("")))
        .isInstanceOf(PoolClosedException.class);
    assertThat(node.jobKeys()).isEmpty();
  }

  @Test
  void badInputIsRefusedBeforeAnythingHappens() {
    PoolNode node = node();

    assertThatIllegalArgumentException().isThrownBy(() -> node.dispatch("", bytes("")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.dispatch("k".repeat(513), bytes("")));
    assertThatIllegalArgumentException().isThrownBy(() -> node.dispatch("k", new byte[90_001]));
    assertThatIllegalArgumentException().isThrownBy(() -> node.addRunner(job -> {}, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> pulse().pool("no spaces"));
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> pulse().pool(POOL, o -> o.withQueuedMax(0)));
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(
            () ->
                node.dispatch(
                    "k", bytes(""), o -> o.withDelay(Duration.ofSeconds(1)).withAt(Instant.EPOCH)));
    Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> node.dispatch("k", bytes(""), o -> o.withDelay(longest)))
        .withMessageContaining("delay is");
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> node.dispatch("k", bytes(""), o -> o.withAt(Instant.MAX)))
        .withMessageContaining("at is");
    assertThat(node.jobKeys()).isEmpty();
  }

  private static boolean isTaken(PoolClient client, String key) {
    try {
      client.dispatch(key, bytes(""));
      return true;
    } catch (JobExistsException exists) {
      return false;
    }
  }

  private static List<Boolean> together(List<Callable<Boolean>> calls) throws Exception {
    List<Boolean> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Boolean> each : threads.invokeAll(calls)) {
        results.add(each.get());
      }
    }
    return results;
  }
}
