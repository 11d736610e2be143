package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.pool.Job;
import dev.tidemark.pulse.pool.JobHandler;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.pulse.pool.Ticker;
import dev.tidemark.testkit.junit.DatabaseExtension;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nodes whose calls of the store neither return nor fail. */
class KvPoolSilenceTest extends CutPoolConformance {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  @Override
  protected Pulse open() {
    return Pulse.on(databases.database());
  }

  @Override
  protected CutPulse openToCut() {
    SilentDatabase way = new SilentDatabase(databases.database());
    return new CutPulse(Pulse.on(way), way::fallSilent, way::speak);
  }

  @Test
  void jobsStopWhenTheLeaseIsOverThoughTheNodeWaitsForTheStore() {
    RecordingHandler handler = new RecordingHandler();
    SilentDatabase way = new SilentDatabase(databases.database());
    leaseIs(TTL);
    try (Pulse pulse = Pulse.on(way)) {
      PoolNode node = node(pulse);
      node.addWorker(handler);
      dispatchAll(node, keys("job-", 5));
      eventuallyRun(keys("job-", 5), handler);

      way.fallSilentFor("pulse-node-");

      eventuallyRun(Set.of(), handler);
      assertThat(handler.starts()).hasSize(5);
      way.speak();
      eventuallyRun(keys("job-", 5), handler);
      assertNoMistakes(handler);
    }
  }

  @Test
  void jobsStopThoughTheirWorkerWaitsForTheStore() {
    RecordingHandler handler = new RecordingHandler();
    AtomicBoolean cutOff = new AtomicBoolean();
    try (CutPulse cut = cuttable()) {
      PoolNode node = node(cut.pulse());
      node.addWorker(
          new JobHandler() {
            @Override
            public void start(Job job) {
              handler.start(job);
            }

            @Override
            public void stop(String key) {
              handler.stop(key);
            }

            @Override
            public void notification(String key, byte[] payload) {
              // Once: a notification that could not be acknowledged comes again.
              if (cutOff.compareAndSet(false, true)) {
                cut.cut().run(); // what follows is the worker's own call of the store
              }
            }
          });
      node.dispatch("a", bytes(""));
      client().notifyJob("a", bytes("hello"));

      eventuallyRun(Set.of(), handler);
      cut.restore().run();
      eventuallyRun(Set.of("a"), handler);
    }
  }

  @Test
  void jobThatEndsIsInterruptedThoughNoCallReturns() {
    CountDownLatch never = new CountDownLatch(1);
    List<String> ended = new CopyOnWriteArrayList<>();
    try (CutPulse cut = cuttable()) {
      PoolNode node = node(cut.pulse());
      node.addRunner(
          job -> {
            try {
              never.await();
            } finally {
              ended.add(job.key());
            }
          });
      node.dispatch("a", bytes(""));

      cut.cut().run();

      eventually("the job that runs is told", () -> ended.equals(List.of("a")));
    }
  }

  @Test
  void tickerDoesNotOutlastItsTimeout() throws Exception {
    try (CutPulse cut = cuttable()) {
      PoolNode node = node(cut.pulse());
      try (Ticker ticker = node.ticker("t", Duration.ofHours(1))) {
        cut.cut().run();

        assertThat(
                within(Duration.ofSeconds(5), "a tick", () -> ticker.await(Duration.ofMillis(50))))
            .isEmpty();
        cut.restore().run();
      }
    }
  }
}
