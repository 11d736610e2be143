package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.pulse.pool.Job;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.pulse.pool.Worker;
import dev.tidemark.pulse.pool.WorkerInfo;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What becomes of jobs when nodes fall silent, and of nodes that come back, on any store. */
public abstract class PoolFailoverConformance extends CutPoolConformance {
  /** For subclasses. */
  protected PoolFailoverConformance() {}

  @Test
  void jobsOfASilentNodeRunElsewhereAndItJoinsAgainWhenItComesBack() {
    RecordingHandler silent = new RecordingHandler();
    RecordingHandler live = new RecordingHandler();
    try (CutPulse cut = cuttable()) {
      PoolNode gone = node(cut.pulse());
      Worker worker = gone.addWorker(silent);
      String oldWorker = worker.id();
      Set<String> keys = keys("job-", 12);
      dispatchAll(gone, keys);
      PoolNode other = node();
      other.addWorker(live);
      eventually("the jobs are spread", () -> !live.running().isEmpty());
      eventuallyRun(keys, silent, live);
      List<Job> before = List.copyOf(silent.starts());

      cut.cut().run();

      eventuallyRun(keys, live);
      assertThat(before).allMatch(Job::isLost);
      eventually("it has stopped them too", () -> silent.running().isEmpty());
      assertThat(other.workers()).extracting(WorkerInfo::id).doesNotContain(oldWorker);
      for (Job job : live.starts()) {
        assertThat(text(job.payload())).isEqualTo(job.key());
      }

      cut.restore().run();

      eventually("it is back", () -> other.workers().size() == 2);
      assertThat(worker.id()).isNotEqualTo(oldWorker);
      eventually("it has jobs again", () -> !silent.running().isEmpty());
      eventuallyRun(keys, silent, live);
      assertNoMistakes(silent, live);
    }
  }

  @Test
  void everyLaterOwnerHasAGreaterEpoch() {
    RecordingHandler silent = new RecordingHandler();
    RecordingHandler live = new RecordingHandler();
    try (CutPulse cut = cuttable()) {
      node(cut.pulse()).addWorker(silent);
      node().dispatch("a", bytes(""));
      cut.cut().run();
      node().addWorker(live);

      eventuallyRun(Set.of("a"), live);
      assertThat(live.starts().getFirst().epoch())
          .isGreaterThan(silent.starts().getFirst().epoch());
    }
  }

  @Test
  void fiveSilentWorkersAreRemovedAndOtherPoolsAreUntouched() {
    RecordingHandler live = new RecordingHandler();
    RecordingHandler elsewhere = new RecordingHandler();
    try (CutPulse cut = cuttable()) {
      PoolNode gone = node(cut.pulse());
      for (int i = 0; i < 5; i++) {
        gone.addWorker(new RecordingHandler());
      }
      Set<String> keys = keys("job-", 30);
      dispatchAll(gone, keys);
      PoolNode other = another().pool("others", quick());
      other.addWorker(elsewhere);
      other.dispatch("job-1", bytes(""));
      cut.cut().run();

      PoolNode node = node();
      Worker worker = node.addWorker(live);

      eventuallyRun(keys, live);
      assertThat(node.workers()).extracting(WorkerInfo::id).containsExactly(worker.id());
      eventuallyRun(Set.of("job-1"), elsewhere);
      eventually("its worker is there", () -> other.workers().size() == 1);
    }
  }

  @Test
  void runnerOfASilentNodeIsInterruptedAndItsJobRunsElsewhere() {
    CountDownLatch never = new CountDownLatch(1);
    List<String> ran = new CopyOnWriteArrayList<>();
    try (CutPulse cut = cuttable()) {
      PoolNode gone = node(cut.pulse());
      gone.addRunner(
          job -> {
            try {
              never.await();
            } catch (InterruptedException lost) {
              ran.add("lost " + job.isLost());
              throw lost;
            }
          });
      gone.dispatch("a", bytes(""));
      cut.cut().run();

      PoolNode node = node();
      node.addRunner(job -> ran.add("done " + job.requeued()));

      eventually("it ran elsewhere", () -> ran.contains("done true"));
      eventually("the first one is told", () -> ran.contains("lost true"));
      eventually("nothing is left", () -> node.jobKeys().isEmpty());
      assertThat(node.deadJobs()).isEmpty();
      assertThat(gone.statistics().leasesLost()).isPositive();
      assertThat(gone.statistics().finished() + gone.statistics().failed()).isZero();
      eventually("it is counted where it ended", () -> node.statistics().finished() == 1);
    }
  }

  @Test
  void shutdownDoesNotWaitForADeadNodeLongerThanItsLease() throws Exception {
    try (CutPulse cut = cuttable()) {
      PoolNode gone = node(cut.pulse());
      gone.addWorker(new RecordingHandler());
      gone.dispatch("a", bytes(""));
      PoolNode node = node();
      node.addWorker(new RecordingHandler());
      cut.cut().run();

      within(
          PATIENCE.dividedBy(2),
          "the shutdown",
          () -> {
            node.shutDownPool();
            return null;
          });

      assertThat(node.isPoolShutDown()).isTrue();
      assertThat(client().jobKeys()).isEmpty();
    }
  }

  @Test
  void shortOutageCostsNothing() {
    Duration lease = Duration.ofSeconds(6);
    RecordingHandler handler = new RecordingHandler();
    leaseIs(lease);
    try (CutPulse cut = openToCut()) {
      PoolNode node = node(cut.pulse());
      node.addWorker(handler);
      node.dispatch("a", bytes(""));
      cut.cut().run();
      pause(lease.dividedBy(3)); // in which it should have renewed its lease
      cut.restore().run();

      node.dispatch("b", bytes(""));
      pause(lease);

      assertThat(handler.running()).containsExactlyInAnyOrder("a", "b");
      assertThat(handler.starts()).hasSize(2);
      assertThat(handler.stops()).isEmpty();
      assertThat(node.statistics().leasesLost()).isZero();
    }
  }
}
