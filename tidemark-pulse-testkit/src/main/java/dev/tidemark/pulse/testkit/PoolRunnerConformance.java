package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.pool.Job;
import dev.tidemark.pulse.pool.JobExistsException;
import dev.tidemark.pulse.pool.JobHandler;
import dev.tidemark.pulse.pool.JobInfo;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.pulse.pool.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Jobs that end, their failures and their times, on any store. */
public abstract class PoolRunnerConformance extends PoolConformance {
  /** For subclasses. */
  protected PoolRunnerConformance() {}

  @Test
  void jobIsDoneWhenItsRunnerReturns() {
    PoolNode node = node();
    List<String> ran = new CopyOnWriteArrayList<>();
    node.addRunner(job -> ran.add(job.key() + "=" + text(job.payload())));

    node.dispatch("a", bytes("1"));
    eventually("it is done", () -> node.job("a").isEmpty());
    node.dispatch("a", bytes("2"));
    eventually("it is done again", () -> node.job("a").isEmpty());

    assertThat(ran).containsExactly("a=1", "a=2");
    assertThat(node.jobPayload("a")).isEmpty();
    assertThat(errors()).isEmpty();
  }

  @Test
  void payloadOfAnySizeComesToTheRunner() {
    PoolNode node = node();
    List<Integer> sizes = new CopyOnWriteArrayList<>();
    node.addRunner(job -> sizes.add(job.payload().length));

    for (int size : new int[] {0, 1, 4_096, 4_097, 90_000}) {
      node.dispatch("job-" + size, new byte[size]);
    }
    eventually("all are done", () -> node.jobKeys().isEmpty());

    assertThat(sizes).containsExactlyInAnyOrder(0, 1, 4_096, 4_097, 90_000);
  }

  @Test
  void runnerTakesAsManyJobsAtATimeAsItMay() throws Exception {
    PoolNode node = node();
    CountDownLatch gate = new CountDownLatch(1);
    AtomicInteger running = new AtomicInteger();
    node.addRunner(
        job -> {
          running.incrementAndGet();
          gate.await();
          running.decrementAndGet();
        },
        2);
    node.dispatch("a", bytes(""));
    node.dispatch("b", bytes(""));
    PoolNode other = node();
    Thread third = Thread.ofVirtual().start(() -> other.dispatch("c", bytes("")));

    eventually("it waits at the worker", () -> node.job("c").isPresent());
    pause(Duration.ofMillis(100));
    assertThat(running).hasValue(2);
    assertThat(node.job("c").orElseThrow().state()).isEqualTo(JobInfo.State.ASSIGNED);
    gate.countDown();
    third.join();
    eventually("all are done", () -> node.jobKeys().isEmpty());
  }

  @Test
  void jobsDispatchOthersFromInside() {
    PoolNode node = node();
    Set<String> ran = ConcurrentHashMap.newKeySet();
    node.addRunner(
        job -> {
          ran.add(job.key());
          if (job.key().equals("parent")) {
            job.client().dispatch("child", bytes(""));
          }
        },
        2);

    node.dispatch("parent", bytes(""));

    eventually("both ran", () -> ran.equals(Set.of("parent", "child")));
  }

  @Test
  void jobThatEndsWhatItRunsInIsRefusedAtOnce() {
    PoolNode node = node();
    List<String> refusals = new CopyOnWriteArrayList<>();
    node.addRunner(job -> refusals.addAll(refusalsOfEnding(node)));

    node.dispatch("a", bytes(""));
    eventually("the job is done", () -> node.job("a").isEmpty());

    assertThat(refusals).hasSize(3).allMatch(text -> text.contains("another thread"));
    node.dispatch("b", bytes(""));
    eventually("the node takes jobs as before", () -> refusals.size() == 6);
  }

  @Test
  void handlerThatEndsWhatItRunsInIsRefusedAtOnce() {
    PoolNode node = node();
    List<String> refusals = new CopyOnWriteArrayList<>();
    node.addWorker(
        new JobHandler() {
          @Override
          public void start(Job job) {
            refusals.addAll(refusalsOfEnding(node));
          }

          @Override
          public void stop(String key) {}
        });

    node.dispatch("a", bytes(""));

    assertThat(refusals).hasSize(3).allMatch(text -> text.contains("another thread"));
    assertThat(node.stop("a")).isTrue();
  }

  private static List<String> refusalsOfEnding(PoolNode node) {
    Runnable removal = () -> node.localWorkers().forEach(node::removeWorker);
    return Stream.of(removal, node::shutDownPool, node::close)
        .map(end -> String.valueOf(catchThrowable(end::run).getMessage()))
        .toList();
  }

  @Test
  void pulseIsClosedByAJobWithoutAWaitForThatJob() throws Exception {
    for (boolean endsByItself : List.of(true, false)) {
      Pulse pulse = another();
      PoolNode node = node(pulse);
      CompletableFuture<Throwable> closed = new CompletableFuture<>();
      Consumer<Job> work = job -> closed.complete(catchThrowable(pulse::close));
      if (endsByItself) {
        node.addRunner(work::accept);
      } else {
        node.addWorker(
            new JobHandler() {
              @Override
              public void start(Job job) {
                work.accept(job);
              }

              @Override
              public void stop(String key) {}
            });
      }
      Thread dispatch =
          Thread.ofVirtual()
              .start(
                  () -> {
                    Throwable unused =
                        catchThrowable(() -> client().dispatch("a-" + endsByItself, bytes("")));
                  });

      assertThat(closed.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
          .hasMessageContaining("another thread");
      assertThat(node.isClosed()).isTrue();
      dispatch.interrupt();
      dispatch.join();
    }
  }

  @Test
  void failedJobIsTriedAgainWithHigherAttemptAndEpoch() {
    PoolNode node = node();
    List<Integer> attempts = new CopyOnWriteArrayList<>();
    List<Long> epochs = new CopyOnWriteArrayList<>();
    node.addRunner(
        job -> {
          attempts.add(job.attempt());
          epochs.add(job.epoch());
          if (job.attempt() < 3) {
            throw new IllegalStateException("not yet");
          }
        });

    node.dispatch("a", bytes(""), o -> o.withRetry(RetryPolicy.of(5, Duration.ofMillis(10))));

    eventually("it is done", () -> node.job("a").isEmpty());
    assertThat(attempts).containsExactly(1, 2, 3);
    assertThat(epochs).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void failureOfARunnerIsReportedEachTimeWithItsCause() {
    PoolNode node = node();
    IllegalStateException failure = new IllegalStateException("no such address");
    node.addRunner(
        job -> {
          throw failure;
        });
    node.dispatch("mail", bytes(""), o -> o.withRetry(RetryPolicy.of(2, Duration.ofMillis(10))));

    eventually("two reports", () -> errors().size() == 2);
    assertThat(errors()).allSatisfy(report -> assertThat(report).hasCause(failure));
    assertThat(errors())
        .extracting(Throwable::getMessage)
        .anyMatch(text -> text.contains("mail failed at attempt 1 of 2 and is tried again"))
        .anyMatch(text -> text.contains("mail failed at attempt 2 of 2 and is dead"))
        .allMatch(text -> text.contains("no such address"));
  }

  @Test
  void jobThatFailsToTheEndIsDeadUntilReplayed() {
    PoolNode node = node();
    AtomicInteger runs = new AtomicInteger();
    node.addRunner(
        job -> {
          if (runs.incrementAndGet() <= 2) {
            throw new IllegalStateException("run " + runs);
          }
        });
    node.dispatch("a", bytes("x"), o -> o.withRetry(RetryPolicy.of(2, Duration.ofMillis(10))));

    eventually("it is dead", () -> !node.deadJobs().isEmpty());
    JobInfo dead = node.deadJobs().getFirst();
    assertThat(dead.key()).isEqualTo("a");
    assertThat(dead.attempts()).isEqualTo(2);
    assertThat(dead.failure().orElseThrow()).contains("run 2");
    assertThat(node.jobKeys()).isEmpty();
    assertThatThrownBy(() -> node.dispatch("a", bytes("")))
        .isInstanceOf(JobExistsException.class)
        .hasMessageContaining("replay");

    assertThat(node.replay("a")).isTrue();
    eventually("it is done", () -> node.job("a").isEmpty());
    assertThat(runs).hasValue(3);
    assertThat(node.replay("a")).isFalse();
  }

  @Test
  void hugeMessageOfAFailureIsCutAndHoldsNothingUp() {
    PoolNode node = node();
    node.addRunner(
        job -> {
          if (job.key().equals("bad")) {
            throw new IllegalStateException("x".repeat(300_000));
          }
        });
    node.dispatch("bad", bytes(""));
    node.dispatch("good", bytes(""));

    eventually("one is dead", () -> !node.deadJobs().isEmpty());
    assertThat(node.deadJobs().getFirst().failure().orElseThrow()).hasSizeLessThan(3_000);
    eventually("the other is done", () -> node.job("good").isEmpty());
  }

  @Test
  void errorFailsTheJobAndTheOnlyThreadGoesOn() {
    PoolNode node = node();
    node.addRunner(
        job -> {
          if (job.key().equals("bad")) {
            throw new StackOverflowError("too deep");
          }
        });
    node.dispatch("bad", bytes(""));

    eventually("it is dead", () -> !node.deadJobs().isEmpty());
    assertThat(node.deadJobs().getFirst().failure().orElseThrow()).contains("too deep");
    node.dispatch("good", bytes(""));
    eventually("the next is done", () -> node.job("good").isEmpty());
  }

  @Test
  void deadJobIsForgottenByStop() {
    PoolNode node = node();
    node.addRunner(
        job -> {
          throw new IllegalStateException("always");
        });
    node.dispatch("a", bytes("x"));

    eventually("it is dead", () -> !node.deadJobs().isEmpty());
    assertThat(node.stop("a")).isTrue();
    assertThat(node.deadJobs()).isEmpty();
    assertThat(node.jobPayload("a")).isEmpty();
  }

  @Test
  void delayedJobStartsWhenItsTimeHasCome() {
    PoolNode node = node();
    List<String> ran = new CopyOnWriteArrayList<>();
    node.addRunner(job -> ran.add(job.key()));

    node.dispatch("later", bytes(""), o -> o.withDelay(Duration.ofMillis(400)));
    node.dispatch("sooner", bytes(""), o -> o.withDelay(Duration.ofMillis(50)));

    assertThat(node.job("later").orElseThrow().state()).isEqualTo(JobInfo.State.SCHEDULED);
    assertThat(node.job("later").orElseThrow().due()).isPresent();
    eventually("both ran", () -> ran.size() == 2);
    assertThat(ran).containsExactly("sooner", "later");
  }

  @Test
  void stopInterruptsTheRunnerWhereverTheKeyBelongsByNow() {
    PoolNode node = node();
    CountDownLatch never = new CountDownLatch(1);
    Set<String> interrupted = ConcurrentHashMap.newKeySet();
    node.addRunner(
        job -> {
          try {
            never.await();
          } catch (InterruptedException stop) {
            interrupted.add(job.key());
            throw stop;
          }
        },
        8);
    Set<String> keys = keys("job-", 8);
    dispatchAll(node, keys);
    node.addRunner(job -> {}, 8);
    node.addRunner(job -> {}, 8);

    for (String key : keys) {
      assertThat(node.stop(key)).isTrue();
    }

    assertThat(interrupted).isEqualTo(keys);
    assertThat(node.jobKeys()).isEmpty();
    assertThat(node.deadJobs()).isEmpty();
  }

  @Test
  void closeLetsRunningJobsEndAndHandsOverTheRest() throws Exception {
    PoolNode one = node();
    CountDownLatch gate = new CountDownLatch(1);
    List<String> ran = new CopyOnWriteArrayList<>();
    one.addRunner(
        job -> {
          gate.await();
          ran.add("one " + job.key());
        });
    one.dispatch("a", bytes(""));
    PoolNode two = node();
    Thread second = Thread.ofVirtual().start(() -> two.dispatch("b", bytes("")));
    eventually("it waits at the worker", () -> two.job("b").isPresent());

    Thread closing = Thread.ofVirtual().start(one::close);
    eventually("the worker has left", () -> two.workers().isEmpty());
    two.addRunner(job -> ran.add("two " + job.key()));
    second.join();
    gate.countDown();
    closing.join();

    eventually("both are done", () -> two.jobKeys().isEmpty());
    assertThat(ran).containsExactlyInAnyOrder("one a", "two b");
  }

  @Test
  void jobThatDoesNotEndInTimeIsInterruptedAndRunsElsewhere() throws Exception {
    PoolNode one =
        another().pool(POOL, quick().andThen(o -> o.withDrainTime(Duration.ofMillis(100)))::apply);
    CountDownLatch never = new CountDownLatch(1);
    one.addRunner(job -> never.await());
    one.dispatch("a", bytes("x"));
    PoolNode two = node();
    List<String> ran = new CopyOnWriteArrayList<>();

    one.close();
    two.addRunner(job -> ran.add(text(job.payload()) + job.requeued()));

    eventually("it ran elsewhere", () -> ran.equals(List.of("xtrue")));
  }
}
