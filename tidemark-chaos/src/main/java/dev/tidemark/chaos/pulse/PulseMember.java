package dev.tidemark.chaos.pulse;

import dev.tidemark.chaos.run.ChildProcess;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Message.Fact;
import dev.tidemark.chaos.run.Message.Fact.What;
import dev.tidemark.chaos.run.Parent;
import dev.tidemark.chaos.run.Workspace;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.pool.DispatchTimeoutException;
import dev.tidemark.pulse.pool.Job;
import dev.tidemark.pulse.pool.JobHandler;
import dev.tidemark.pulse.pool.PoolFullException;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.pulse.pool.PoolOptions;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One of the processes of a pulse run: it adds events, consumes them, gives jobs to two pools and
 * works in both. It goes on until it is killed, and tells its parent everything.
 */
final class PulseMember {
  static final String STREAM = "events";
  static final String LASTING = "lasting";
  static final String PASSING = "passing";

  /** What the parent says when no new events and jobs are wanted. */
  static final String REST = "rest";

  /** What the parent says to be told which jobs run here. */
  static final String REPORT = "report";

  private static final int LASTING_JOBS = 12;
  private static final Duration LEASE = Duration.ofMillis(1_500);
  private static final int ASKED_AT_ONCE = 10;
  private static final int ASK_MILLIS = 20;

  private final String name;
  private final PulseAccess access;
  private final Map<String, Job> running = new ConcurrentHashMap<>();
  private final Parent parent;
  private final AtomicLong jobs = new AtomicLong();
  private volatile boolean resting;

  private PulseMember(String name, String address) {
    this.name = name;
    this.parent = Parent.watch(this::hear);
    this.access = PulseAccess.open(address);
  }

  static ChildProcess start(Workspace workspace, String name, String address) {
    return ChildProcess.start(workspace, name, PulseMember.class, List.of(name, address));
  }

  /** Works as the member with the name and at the address that the arguments give. */
  public static void main(String[] args) throws InterruptedException {
    new PulseMember(args[0], args[1]).work();
  }

  static PoolOptions poolOptions(PoolOptions options) {
    return options
        .withWorkerTtl(LEASE)
        .withRestartGrace(LEASE)
        .withQueuedMax(100_000)
        .withDrainTime(Duration.ofSeconds(10));
  }

  private static SinkOptions sinkOptions(SinkOptions options) {
    return options
        .withStart(Start.oldest())
        .withAckGrace(LEASE)
        .withBlock(Duration.ofMillis(500))
        .withBatchMax(50)
        .withBuffer(50);
  }

  private void hear(String line) {
    if (line.equals(REST)) {
      resting = true;
    } else if (line.equals(REPORT)) {
      running.forEach((key, job) -> parent.tell(new Fact(What.RUNNING, key, job.epoch())));
      parent.tell(new Fact(What.REPORTED, name, 0));
    }
  }

  private void work() throws InterruptedException {
    boolean transactions = access.pulse().capabilities().transactions();
    EventStream stream = access.pulse().stream(STREAM, o -> o.keepingAll());
    PoolNode lasting = access.pulse().pool(LASTING, PulseMember::poolOptions);
    lasting.addWorker(new Lasting());
    PoolNode passing = access.pulse().pool(PASSING, PulseMember::poolOptions);
    Sink sink = stream.sink("audit", PulseMember::sinkOptions);
    if (transactions) {
      passing.addTransactionalRunner((tx, job) -> PulseAccess.effect(tx, job.key()), 4);
      sink.subscribe((tx, event) -> PulseAccess.effect(tx, event.name()));
    } else {
      passing.addRunner(job -> parent.tell(new Fact(What.RAN, job.key(), job.epoch())), 4);
      sink.subscribe(event -> parent.tell(new Fact(What.DELIVERED, event.name(), 0)));
    }
    parent.tell(new Message.Opened());
    Thread.ofVirtual().start(() -> repeat(number -> add(stream, number)));
    Thread.ofVirtual().start(() -> repeat(number -> give(passing, What.QUEUED, "p")));
    Thread.ofVirtual()
        .start(
            () -> {
              for (int i = 0; i < LASTING_JOBS && !resting; i++) {
                attempt(() -> give(lasting, What.DISPATCHED, "l"));
              }
            });
    Thread.ofVirtual().start(this::askForOwners);
    Thread.currentThread().join();
  }

  /** Asks about the jobs that run here, some at a time so that the parent is not flooded. */
  private void askForOwners() {
    Iterator<Job> rest = Collections.emptyIterator();
    while (!Thread.currentThread().isInterrupted()) {
      for (int i = 0; i < ASKED_AT_ONCE && rest.hasNext(); i++) {
        tellWhetherOwned(rest.next());
      }
      rest = rest.hasNext() ? rest : running.values().iterator();
      attempt(() -> Thread.sleep(ASK_MILLIS));
    }
  }

  /**
   * The time comes first: should this process be stopped behind it, it owned the job even later.
   */
  private void tellWhetherOwned(Job job) {
    long nanos = System.nanoTime();
    if (!job.isLost()) {
      parent.tell(new Message.Owned(job.key(), job.epoch(), nanos));
    }
  }

  /** Something that is done again and again. */
  @FunctionalInterface
  private interface Step {
    void take(long number) throws InterruptedException;
  }

  private void repeat(Step step) {
    for (long number = 0; !resting; number++) {
      long now = number;
      attempt(() -> step.take(now));
    }
  }

  /** Something that may fail while others are killed; nothing was promised then. */
  @FunctionalInterface
  private interface Attempt {
    void make() throws InterruptedException;
  }

  private void attempt(Attempt attempt) {
    try {
      attempt.make();
      Thread.sleep(2);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException failure) {
      System.err.println(name + ": " + failure);
    }
  }

  private void add(EventStream stream, long number) {
    String event = "e-%s-%d".formatted(name, number);
    stream.add(event, new byte[20]);
    parent.tell(new Fact(What.ADDED, event, 0));
  }

  private void give(PoolNode pool, What what, String kind) throws InterruptedException {
    String key = "%s-%s-%d".formatted(kind, name, jobs.incrementAndGet());
    try {
      pool.dispatch(key, new byte[20]);
    } catch (DispatchTimeoutException taken) {
      // The pool has it and will start it.
    } catch (PoolFullException later) {
      Thread.sleep(100);
      return;
    }
    parent.tell(new Fact(what, key, 0));
    Thread.sleep(10);
  }

  /** Runs jobs that last: it only remembers them. */
  private final class Lasting implements JobHandler {
    @Override
    public void start(Job job) {
      running.put(job.key(), job);
      parent.tell(new Fact(What.STARTED, job.key(), job.epoch()));
      tellWhetherOwned(job);
    }

    @Override
    public void stop(String key) {
      running.remove(key);
    }
  }
}
