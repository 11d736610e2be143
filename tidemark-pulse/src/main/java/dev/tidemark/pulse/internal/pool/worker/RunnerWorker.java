package dev.tidemark.pulse.internal.pool.worker;

import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.internal.pool.member.JobReports;
import dev.tidemark.pulse.internal.pool.member.NodeLife;
import dev.tidemark.pulse.internal.pool.member.PoolCore;
import dev.tidemark.pulse.internal.pool.member.PoolCounts;
import dev.tidemark.pulse.internal.pool.rows.Assignment;
import dev.tidemark.pulse.internal.pool.rows.JobClaim;
import dev.tidemark.pulse.internal.pool.rows.JobMail;
import dev.tidemark.pulse.internal.pool.rows.JobTransitions;
import dev.tidemark.pulse.internal.pool.rows.KeyMessages;
import dev.tidemark.pulse.internal.pool.rows.Membership;
import dev.tidemark.pulse.internal.pool.rows.PoolKeys;
import dev.tidemark.pulse.internal.pool.rows.WorkerSlots;
import dev.tidemark.pulse.pool.PoolException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A worker for jobs that end. As many threads as it may run jobs take them from one queue, which is
 * bounded by what its node lets in.
 */
public final class RunnerWorker implements LocalWorker {
  /** How long an interrupted job has to notice before it is given away while it still runs. */
  private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(1);

  private static final Duration LOOK_EVERY = Duration.ofMillis(5);

  private final NodeLife life;
  private final WorkerJobs own;
  private final LocalJobs jobs;
  private final RunStep step;
  private final BlockingQueue<Queued> queue = new LinkedBlockingQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ended;

  /** Whether jobs are interrupted to end the worker, so that their failure is not their own. */
  private volatile boolean interrupting;

  private record Queued(LocalJobs.Entry entry, Assignment assignment) {}

  public RunnerWorker(NodeLife life, String id, RunStep step, int parallel) {
    this.life = life;
    this.own = new WorkerJobs(life, id);
    this.jobs = own.local();
    this.step = step;
    for (int i = 0; i < parallel; i++) {
      threads.add(Thread.ofVirtual().name("pulse-runner-" + id + "-" + i).start(this::work));
    }
  }

  private void work() {
    while (!ended) {
      try {
        Queued next = queue.take();
        run(next.entry(), next.assignment());
      } catch (InterruptedException | InterruptedOperationException interrupt) {
        // Meant for the job that has just ended, or for all: the loop looks.
      } catch (Throwable failure) {
        life.core().report("The worker %s could not finish a step".formatted(id()), failure);
      }
    }
  }

  @Override
  public WorkerJobs own() {
    return own;
  }

  @Override
  public void offer(Assignment assignment) {
    if (!own.isDraining()) {
      jobs.add(assignment.claim()).ifPresent(entry -> queue.add(new Queued(entry, assignment)));
    }
  }

  private void run(LocalJobs.Entry entry, Assignment assignment) {
    if (!own.goesOn()) {
      return;
    }
    entry.runBy(Thread.currentThread());
    if (!jobs.advance(entry, LocalJobs.Stage.QUEUED, LocalJobs.Stage.RUNNING)) {
      entry.runBy(null);
      return;
    }
    if (jobs.queued() == 0) {
      life.drained();
    }
    if (KeyMessages.isBox(entry.claim().key())) {
      refuse(entry);
      return;
    }
    OwnedJob job = new OwnedJob(assignment, life.client(), () -> own.isLost(entry));
    life.core().counts().add(PoolCounts.What.STARTED);
    Outcome outcome = attempt(entry, job);
    entry.runBy(null);
    Thread.interrupted(); // meant for the job, which has ended
    settle(entry, assignment, outcome);
  }

  private void refuse(LocalJobs.Entry entry) {
    try {
      new MessageDelivery(life, RunnerWorker::refuse, Supplier::get)
          .deliver(entry.claim(), () -> true);
    } finally {
      entry.runBy(null);
      jobs.remove(entry);
    }
  }

  private static void refuse(String key, byte[] payload) {
    throw new UnsupportedOperationException(
        "A worker for jobs that end takes no messages; one of %,d bytes for the key %s is dropped"
            .formatted(payload.length, key));
  }

  /** How a run ended: with this failure, or none. */
  private record Outcome(boolean stored, @Nullable Throwable failure) {}

  private Outcome attempt(LocalJobs.Entry entry, OwnedJob job) {
    try {
      return new Outcome(step.run(life, entry.claim(), job), null);
    } catch (Throwable failure) {
      return new Outcome(false, failure);
    }
  }

  private void settle(LocalJobs.Entry entry, Assignment assignment, Outcome outcome) {
    JobClaim claim = entry.claim();
    if (!entry.isIn(LocalJobs.Stage.RUNNING) || outcome.stored()) {
      jobs.remove(entry);
      return;
    }
    Settlement settlement = new Settlement(entry, assignment, outcome.failure());
    life.reports().add(claim.key(), settlement, settlement);
  }

  /** The end of a job: what the store is told, and what is counted and reported when it knows. */
  private final class Settlement implements JobReports.Transition, Consumer<Boolean> {
    private final LocalJobs.Entry entry;
    private final Assignment assignment;
    private final @Nullable Throwable failure;

    /** What the store was told last; it may ask again. Null for a job that only moves. */
    private PoolCounts.@Nullable What told;

    Settlement(LocalJobs.Entry entry, Assignment assignment, @Nullable Throwable failure) {
      this.entry = entry;
      this.assignment = assignment;
      this.failure = failure;
    }

    @Override
    public boolean apply(Rows rows, long now) {
      JobClaim claim = entry.claim();
      if (entry.isStopping()) {
        told = PoolCounts.What.STOPPED;
        return JobTransitions.removed(rows, claim, now);
      }
      if (failure == null) {
        told = PoolCounts.What.FINISHED;
        return JobTransitions.finished(rows, claim, now);
      }
      if (interrupting) {
        told = null;
        JobTransitions.handOver(rows, List.of(claim));
        return true;
      }
      told = PoolCounts.What.FAILED;
      return JobTransitions.runFailed(rows, claim, PoolCore.describe(failure), now);
    }

    @Override
    public void accept(Boolean held) {
      PoolCounts.What what = told;
      if (held && what != null) {
        life.core().counts().add(what);
      }
      if (held && what == PoolCounts.What.FAILED && failure != null) {
        // Whoever dispatched the job learned of its start alone.
        life.core().reportAside(assignment.failed(assignment.isTriedAgain()), failure);
      }
      jobs.remove(entry);
    }
  }

  @Override
  public void lookAtMail(String key) {
    if (!KeyMessages.isBox(key) && own.noteMail(key)) {
      Thread.ofVirtual().name("pulse-mail-" + id()).start(() -> open(key));
    }
  }

  private void open(String key) {
    try {
      own.lookAtMail(key);
      jobs.get(key).filter(entry -> !life.isLost()).ifPresent(this::read);
    } catch (Throwable failure) {
      life.core().report("The mail of the job %s could not be read".formatted(key), failure);
    }
  }

  private void read(LocalJobs.Entry entry) {
    JobClaim claim = entry.claim();
    PoolCore core = life.core();
    List<JobMail.Letter> letters = core.rows().read(rows -> JobMail.letters(rows, claim.key()));
    if (letters.stream().anyMatch(JobMail.Letter::stop)) {
      stop(entry);
    } else if (!letters.isEmpty()) {
      core.report(
          "%d notifications for the job %s are dropped".formatted(letters.size(), claim.key()),
          new UnsupportedOperationException("A job that ends by itself takes no notifications"));
      core.rows()
          .transact(
              rows -> {
                JobMail.taken(rows, claim, letters);
                return letters.size();
              });
    }
  }

  private void stop(LocalJobs.Entry entry) {
    if (jobs.advance(entry, LocalJobs.Stage.QUEUED, LocalJobs.Stage.ENDED)) {
      JobClaim claim = entry.claim();
      life.reports()
          .add(
              claim.key(),
              (rows, now) -> JobTransitions.removed(rows, claim, now),
              held -> {
                if (held) {
                  life.core().counts().add(PoolCounts.What.STOPPED);
                }
                jobs.remove(entry);
              });
    } else {
      entry.stop();
    }
  }

  /** Only jobs that have not begun move: what runs ends where it is. */
  @Override
  public void rebalance(WorkerSlots slots) {
    HandOver handOver = new HandOver(life.core(), jobs, Ending.HAND_OVER, own::goesOn);
    jobs.in(LocalJobs.Stage.QUEUED, key -> !own.belongsHere(key, slots))
        .forEach(entry -> giveAwayQueued(handOver, entry));
    handOver.flush();
  }

  @Override
  public boolean isToMoveMore() {
    return false;
  }

  private void giveAwayQueued(HandOver handOver, LocalJobs.Entry entry) {
    if (jobs.advance(entry, LocalJobs.Stage.QUEUED, LocalJobs.Stage.ENDED)) {
      handOver.add(entry);
    }
  }

  @Override
  public boolean runsOn(Thread thread) {
    return threads.contains(thread);
  }

  @Override
  public List<Throwable> drain(Ending ending, Duration patience) {
    own.drain();
    HandOver handOver = new HandOver(life.core(), jobs, ending, () -> false);
    try {
      giveAwayQueued(handOver);
      if (ending == Ending.HAND_OVER) {
        giveBackUnseen();
      }
      Runnable late = () -> giveAwayQueued(handOver);
      if (!awaitEnd(patience, late)) {
        interrupting = true;
        jobs.all().forEach(LocalJobs.Entry::interrupt);
        awaitEnd(AFTER_INTERRUPT, late);
      }
      jobs.in(LocalJobs.Stage.RUNNING, key -> true).forEach(handOver::add);
      handOver.flush();
      return List.of();
    } catch (RuntimeException failure) {
      return List.of(
          new PoolException(
              "The jobs of the worker %s are not all given away".formatted(id()), failure));
    }
  }

  private void giveAwayQueued(HandOver handOver) {
    jobs.in(LocalJobs.Stage.QUEUED, key -> true).forEach(entry -> giveAwayQueued(handOver, entry));
    handOver.flush();
  }

  /**
   * Lets others have what the store has assigned to this worker and the node has not seen. It has
   * left its slot, so nothing more comes, and it drains, so that it starts none of it.
   */
  private void giveBackUnseen() {
    Set<String> seen =
        jobs.all().stream().map(entry -> entry.claim().key()).collect(Collectors.toSet());
    Tuple after = PoolKeys.ofWorker(PoolKeys.ASSIGNED, id());
    List<Rows.Row> page;
    do {
      Tuple from = after;
      page = life.core().rows().transact(rows -> Membership.takeUnseen(rows, id(), from, seen));
      after = page.isEmpty() ? after : page.getLast().key();
    } while (page.size() == Membership.UNSEEN_PAGE);
  }

  /**
   * Waits until no job is left.
   *
   * @param late what is done for jobs that came while the worker began to drain
   */
  private boolean awaitEnd(Duration patience, Runnable late) {
    long end = life.core().nanos() + patience.toNanos();
    while (!jobs.all().isEmpty()) {
      late.run();
      if (life.core().nanos() - end > 0 || !life.core().pause(LOOK_EVERY)) {
        return jobs.all().isEmpty();
      }
    }
    return true;
  }

  @Override
  public void abandon(Duration patience) {
    own.drain();
    for (LocalJobs.Entry entry : jobs.all()) {
      abandon(entry);
    }
    if (!awaitEnd(patience, () -> {})) {
      life.core()
          .reportAside(
              "Lost jobs of the worker %s do not heed the interrupt".formatted(id()),
              new PoolException("They still run: " + jobs.all().size()));
    }
    end();
  }

  /** What runs forgets its entry when it ends; a thread that was about to begin does not. */
  private void abandon(LocalJobs.Entry entry) {
    boolean hadNotBegun = jobs.advance(entry, LocalJobs.Stage.QUEUED, LocalJobs.Stage.ENDED);
    jobs.end(entry);
    if (hadNotBegun || !entry.interrupt()) {
      jobs.remove(entry);
    }
  }

  @Override
  public void end() {
    ended = true;
    threads.forEach(Thread::interrupt);
  }
}
