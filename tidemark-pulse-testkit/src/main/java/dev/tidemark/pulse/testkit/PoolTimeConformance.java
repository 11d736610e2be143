package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.pulse.pool.JobInfo;
import dev.tidemark.pulse.pool.Planner;
import dev.tidemark.pulse.pool.Planner.Plan;
import dev.tidemark.pulse.pool.PoolClient;
import dev.tidemark.pulse.pool.PoolClosedException;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.pulse.pool.RetryPolicy;
import dev.tidemark.pulse.pool.Schedule;
import dev.tidemark.pulse.pool.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a pool does when a time has come: tickers, schedules, cron, delays, on any store. */
public abstract class PoolTimeConformance extends CutPoolConformance {
  private static final Duration SOON = Duration.ofMillis(30);
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration HOUR = Duration.ofHours(1);

  /** For subclasses. */
  protected PoolTimeConformance() {}

  @Test
  void tickerTicksUntilItIsStopped() {
    PoolNode node = node();
    Ticker ticker = node.ticker("tick", SOON);

    Instant first = ticker.await(LONG).orElseThrow();
    Instant second = ticker.await(LONG).orElseThrow();
    assertThat(Duration.between(first, second)).isGreaterThanOrEqualTo(SOON);
    assertThat(Duration.between(first, second).toMillis() % SOON.toMillis()).isZero();

    ticker.stop();
    assertThat(ticker.isEnded()).isTrue();
    assertThat(ticker.await(LONG)).as("after the end, at once").isEmpty();
  }

  @Test
  void longestDurationsAreTakenForWaitsAndRefusedForIntervals() {
    Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
    PoolNode node = node();

    assertThat(node.ticker("tick", SOON).await(longest)).isPresent();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.ticker("rare", longest))
        .withMessageContaining("shorter than a year");
  }

  @Test
  void tickerThatIsStoppedElsewhereEndsHereAsWell() {
    Ticker here = node().ticker("tick", HOUR);
    Ticker there = node().ticker("tick", HOUR);

    there.stop();

    assertThat(here.await(LONG)).isEmpty();
    assertThat(here.isEnded()).isTrue();
  }

  @Test
  void newIntervalReplacesTheOldOneForAll() {
    Ticker slow = node().ticker("tick", HOUR);
    assertThat(slow.await(Duration.ofMillis(50))).as("no tick within an hour").isEmpty();

    node().ticker("tick", SOON);

    assertThat(slow.await(LONG)).isPresent();
  }

  @Test
  void eachTickGoesToOneNode() throws Exception {
    List<Ticker> tickers = List.of(node().ticker("tick", SOON), node().ticker("tick", SOON));
    List<Instant> ticks = new CopyOnWriteArrayList<>();
    List<Thread> threads =
        tickers.stream()
            .map(
                ticker ->
                    Thread.ofVirtual()
                        .start(
                            () -> {
                              while (ticks.size() < 20) {
                                ticker.await(Duration.ofMillis(200)).ifPresent(ticks::add);
                              }
                            }))
            .toList();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(new HashSet<>(ticks)).as("no tick twice").hasSameSizeAs(ticks);
  }

  @Test
  void ticksThatNobodyWaitedForAreNotMadeUpFor() {
    Ticker ticker = node().ticker("tick", Duration.ofMillis(200));
    pause(Duration.ofMillis(700));

    Instant first = ticker.await(LONG).orElseThrow();
    Instant second = ticker.await(LONG).orElseThrow();

    assertThat(Duration.between(first, second).toMillis()).isGreaterThanOrEqualTo(200);
  }

  @Test
  void tickerOutlivesAFailureOfTheStore() throws Exception {
    try (CutPulse pulse = cuttable()) {
      Ticker ticker = node(pulse.pulse()).ticker("tick", SOON);
      assertThat(ticker.await(LONG)).isPresent();
      pulse.cut().run();
      Thread healer =
          Thread.ofVirtual()
              .start(
                  () -> {
                    pause(Duration.ofMillis(300));
                    pulse.restore().run();
                  });

      assertThat(ticker.await(LONG)).as("when the store is back").isPresent();
      healer.join();
    }
  }

  @Test
  void ticksOfATickerThatIsClosedGoToTheOthers() {
    Ticker closing = node().ticker("tick", SOON);
    Ticker staying = node().ticker("tick", SOON);
    assertThat(closing.await(LONG)).isPresent();

    closing.close();
    closing.close();

    assertThat(closing.isEnded()).isTrue();
    assertThat(closing.await(LONG)).as("after the end, at once").isEmpty();
    Instant first = staying.await(LONG).orElseThrow();
    Instant second = staying.await(LONG).orElseThrow();
    assertThat(second).isAfter(first);
    assertThat(staying.isEnded()).isFalse();
  }

  @Test
  void scheduleThatIsStoppedEndsEverywhereAndItsJobsGoOn() {
    PoolNode node = node();
    RecordingHandler handler = new RecordingHandler();
    node.addWorker(handler);
    Planner planner = () -> Plan.start(Map.of("planned", bytes("x")));
    Schedule here = node.schedule("plan", SOON, planner);
    Schedule there = node().schedule("plan", SOON, planner);
    eventuallyRun(Set.of("planned"), handler);

    here.stop();

    assertThat(here.isEnded()).isTrue();
    eventually("the end elsewhere", there::isEnded);
    assertThat(node.jobKeys()).containsExactly("planned");
    assertThat(handler.running()).containsExactly("planned");
    node.schedule("plan", HOUR, () -> Plan.only(Map.of()));
    assertThat(handler.running()).as("it is no job of the new one").containsExactly("planned");
    assertThat(errors()).isEmpty();
  }

  @Test
  void closeOfTheNodeEndsItsTickersAndSchedules() {
    PoolNode node = node();
    Ticker ticker = node.ticker("tick", HOUR);
    Schedule schedule = node.schedule("plan", HOUR, () -> Plan.NOTHING);
    node.close();

    assertThat(ticker.isEnded()).isTrue();
    assertThat(ticker.await(LONG)).isEmpty();
    assertThat(schedule.isEnded()).isTrue();
    assertThatThrownBy(() -> node.ticker("tick", SOON)).isInstanceOf(PoolClosedException.class);
  }

  @Test
  void wrongIntervalsNamesAndExpressionsAreRefused() {
    PoolNode node = node();

    assertThatIllegalArgumentException().isThrownBy(() -> node.ticker("tick", Duration.ZERO));
    assertThatIllegalArgumentException().isThrownBy(() -> node.ticker("", SOON));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.schedule("plan", SOON.negated(), () -> Plan.NOTHING));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.cron("nightly", "every night", ZoneOffset.UTC, "job", bytes("x")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.cron("never", "0 0 30 2 *", ZoneOffset.UTC, "job", bytes("x")))
        .withMessageContaining("0 0 30 2 *");
  }

  @Test
  void planStartsAndStopsJobs() {
    PoolNode node = node();
    RecordingHandler handler = new RecordingHandler();
    node.addWorker(handler);
    Queue<Plan> plans = new ConcurrentLinkedQueue<>();
    plans.add(Plan.start(Map.of("one", bytes("1"))));
    Schedule schedule = node.schedule("plan", SOON, () -> next(plans));
    eventuallyRun(Set.of("one"), handler);

    plans.add(Plan.stop(List.of("one")));
    eventuallyRun(Set.of(), handler);
    plans.add(Plan.start(Map.of("two", bytes("2"), "three", bytes("3"))));
    eventuallyRun(Set.of("two", "three"), handler);
    plans.add(Plan.only(Map.of()));
    eventuallyRun(Set.of(), handler);
    node.dispatch("by hand", bytes("x"));
    plans.add(Plan.start(Map.of("four", bytes("4"))));
    eventuallyRun(Set.of("by hand", "four"), handler);
    plans.add(Plan.only(Map.of("five", bytes("5"))));
    eventuallyRun(Set.of("by hand", "five"), handler);
    plans.add(Plan.NOTHING.andEnd());
    eventually("the end of the schedule", schedule::isEnded);

    eventuallyRun(Set.of("by hand", "five"), handler);
    assertNoMistakes(handler);
    assertThat(errors()).isEmpty();
  }

  @Test
  void entriesOfAPlanThatThePoolRefusesKeepNoOthersBack() {
    PoolNode node = node();
    RecordingHandler handler = new RecordingHandler();
    node.addWorker(handler);
    byte[] some = bytes("x");
    Queue<Plan> plans = new ConcurrentLinkedQueue<>();
    plans.add(
        Plan.start(
            Map.of(
                "",
                some,
                "\0box",
                some,
                "k".repeat(513),
                some,
                "large",
                new byte[90_001],
                "good",
                some)));
    node.schedule("plan", SOON, () -> next(plans));

    eventuallyRun(Set.of("good"), handler);
    eventually("four are reported", () -> errors().size() == 4);
    assertThat(errors())
        .extracting(Throwable::toString)
        .allMatch(error -> error.contains("The schedule plan could not start"))
        .anyMatch(error -> error.contains("90,001"));
    assertThat(node.jobKeys()).containsExactly("good");

    plans.add(Plan.stop(List.of("", "good")));
    eventuallyRun(Set.of(), handler);
    eventually("the fifth is reported", () -> errors().size() == 5);
    assertNoMistakes(handler);
  }

  @Test
  @SuppressWarnings("NullAway") // on purpose
  void plannerWithoutAPlanIsToldWhatToReturn() {
    node().schedule("plan", HOUR, () -> null);

    assertThat(errors()).hasSize(1);
    assertThat(errors().getFirst()).hasMessageContaining("Plan.NOTHING");
  }

  private static Plan next(Queue<Plan> plans) {
    Plan next = plans.poll();
    return next == null ? Plan.NOTHING : next;
  }

  @Test
  void plansAreMadeByOneNodeAtATime() {
    AtomicInteger first = new AtomicInteger();
    AtomicInteger second = new AtomicInteger();
    PoolNode one = node();
    one.schedule("plan", HOUR, counting(first));
    assertThat(first).as("the first plan is made at once").hasValue(1);

    Schedule other = node().schedule("plan", HOUR, counting(second));
    assertThat(second).as("and by one node only").hasValue(0);

    other.close();
    one.close();
    node().schedule("plan", SOON, counting(second));
    eventually("plans of the node that is left", () -> second.get() > 2);
    assertThat(first).hasValue(1);
  }

  private static Planner counting(AtomicInteger plans) {
    return () -> {
      plans.incrementAndGet();
      return Plan.NOTHING;
    };
  }

  @Test
  void scheduleThatEndsElsewhereEndsHereAsWell() {
    AtomicBoolean last = new AtomicBoolean();
    Planner planner = () -> last.get() ? Plan.NOTHING.andEnd() : Plan.NOTHING;
    Schedule here = node().schedule("plan", SOON, planner);
    Schedule there = node().schedule("plan", SOON, planner);

    last.set(true);

    eventually("the end everywhere", () -> here.isEnded() && there.isEnded());
  }

  @Test
  void plannerThatIsInterruptedIsAskedAgain() {
    AtomicInteger calls = new AtomicInteger();
    Schedule schedule =
        node()
            .schedule(
                "plan",
                SOON,
                () -> {
                  if (calls.incrementAndGet() == 2) {
                    throw new InterruptedException("of work of its own");
                  }
                  if (calls.get() > 2) {
                    Thread.currentThread().interrupt();
                  }
                  return Plan.NOTHING;
                });

    eventually("further plans", () -> calls.get() > 4);
    assertThat(schedule.isEnded()).isFalse();
    assertThat(errors().getFirst()).hasMessageContaining("of work of its own");
  }

  @Test
  void plannerThatThrowsIsAskedAgain() {
    AtomicInteger calls = new AtomicInteger();
    node()
        .schedule(
            "plan",
            SOON,
            () -> {
              calls.incrementAndGet();
              throw new IllegalStateException("no plan today");
            });

    eventually("another try", () -> calls.get() > 2);
    assertThat(errors().getFirst()).hasMessageContaining("no plan today");
  }

  @Test
  void delayedJobStartsWhenItsTimeHasCome() {
    RecordingHandler handler = new RecordingHandler();
    node().addWorker(handler);
    PoolClient client = client();
    client.dispatch("later", bytes("x"), options -> options.withDelay(Duration.ofMillis(300)));
    client.dispatch("much later", bytes("x"), options -> options.withDelay(HOUR));

    JobInfo info = client.job("later").orElseThrow();
    assertThat(info.state()).isEqualTo(JobInfo.State.SCHEDULED);
    assertThat(info.due()).isPresent();
    eventuallyRun(Set.of("later"), handler);
    assertThat(client.job("much later").orElseThrow().state()).isEqualTo(JobInfo.State.SCHEDULED);
    assertThat(client.stop("much later")).isTrue();
    assertThat(client.job("much later")).isEmpty();
  }

  @Test
  void jobWithATimeStartsThen() {
    RecordingHandler handler = new RecordingHandler();
    node().addWorker(handler);
    PoolClient client = client();
    client.dispatch("now", bytes("x"));
    Instant soon = client.job("now").orElseThrow().createdAt().plusMillis(500);
    client.dispatch("at", bytes("x"), options -> options.withAt(soon));
    client.dispatch("past", bytes("x"), options -> options.withAt(Instant.EPOCH));
    client.dispatch("far", bytes("x"), options -> options.withAt(soon.plus(HOUR)));

    assertThat(client.job("far").orElseThrow().due()).contains(soon.plus(HOUR));
    eventuallyRun(Set.of("now", "at", "past"), handler);
    assertThat(client.job("far").orElseThrow().state()).isEqualTo(JobInfo.State.SCHEDULED);
  }

  @Test
  void deadJobIsListedKeepsItsKeyAndCanBeReplayed() {
    AtomicBoolean broken = new AtomicBoolean(true);
    List<String> done = new CopyOnWriteArrayList<>();
    PoolNode node = node();
    node.addRunner(
        job -> {
          if (broken.get()) {
            throw new IllegalStateException("broken");
          }
          done.add(job.key() + "=" + text(job.payload()));
        });
    PoolClient client = client();
    RetryPolicy twice = new RetryPolicy(2, Duration.ofMillis(20), Duration.ofMillis(20));
    client.dispatch("job", bytes("payload"), options -> options.withRetry(twice));
    eventually("a dead job", () -> !client.deadJobs().isEmpty());

    JobInfo dead = client.deadJobs().getFirst();
    assertThat(dead.key()).isEqualTo("job");
    assertThat(dead.attempts()).isEqualTo(2);
    assertThat(dead.failure().orElseThrow()).contains("broken");
    assertThat(client.jobKeys()).isEmpty();
    assertThat(client.jobPayload("job").map(PulseConformance::text)).contains("payload");

    broken.set(false);
    assertThat(client.replay("job")).isTrue();
    eventually("the job is done", () -> done.equals(List.of("job=payload")));
    eventually("nothing is left", () -> client.job("job").isEmpty());
    assertThat(client.replay("job")).isFalse();
  }

  @Test
  void cronSchedulesAreListedReplacedAndRemoved() {
    PoolClient client = client();
    client.cron("nightly", "0 3 * * *", ZoneOffset.UTC, "backup", bytes("x"));
    client.cron("hourly", "@hourly", ZoneOffset.UTC, "report", bytes("x"));
    client.cron("nightly", "30 3 * * *", ZoneOffset.UTC, "backup", bytes("x"));

    assertThat(client.crons()).containsExactly("hourly", "nightly");
    assertThat(client.removeCron("hourly")).isTrue();
    assertThat(client.removeCron("hourly")).isFalse();
    assertThat(client.crons()).containsExactly("nightly");
    assertThat(client.jobKeys()).isEmpty();
  }

  @Test
  void shutdownForgetsTickersSchedulesAndCrons() {
    PoolNode node = node();
    Ticker ticker = node.ticker("tick", HOUR);
    node.cron("nightly", "0 3 * * *", ZoneOffset.UTC, "backup", bytes("x"));
    node.shutDownPool();

    assertThat(ticker.isEnded()).isTrue();
    assertThat(client().crons()).isEmpty();
    assertThat(node().ticker("tick", SOON).await(LONG)).as("in its new life").isPresent();
  }
}
