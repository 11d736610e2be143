package dev.tidemark.pulse.internal.pool.worker;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.Rows;
import dev.tidemark.pulse.internal.pool.member.JobReports;
import dev.tidemark.pulse.internal.pool.member.NodeLife;
import dev.tidemark.pulse.internal.pool.member.PoolCore;
import dev.tidemark.pulse.internal.pool.member.PoolCounts;
import dev.tidemark.pulse.internal.pool.rows.Assignment;
import dev.tidemark.pulse.internal.pool.rows.JobClaim;
import dev.tidemark.pulse.internal.pool.rows.JobMail;
import dev.tidemark.pulse.internal.pool.rows.JobTransitions;
import dev.tidemark.pulse.internal.pool.rows.KeyMessages;
import dev.tidemark.pulse.internal.pool.rows.WorkerSlots;
import dev.tidemark.pulse.pool.JobHandler;
import dev.tidemark.pulse.pool.PoolException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A worker for long-running jobs. All calls of its handler are made by one thread, one after the
 * other. Its tasks are bounded by what its node lets in.
 */
public final class HandlerWorker implements LocalWorker {
  private final NodeLife life;
  private final WorkerJobs own;
  private final LocalJobs jobs;
  private final JobHandler handler;
  private final TaskThread tasks;
  private volatile boolean toMoveMore;

  public HandlerWorker(NodeLife life, String id, JobHandler handler) {
    this.life = life;
    this.own = new WorkerJobs(life, id);
    this.jobs = own.local();
    this.handler = handler;
    this.tasks =
        new TaskThread(
            "pulse-worker-" + id,
            failure ->
                life.core().report("The worker %s could not finish a step".formatted(id), failure));
  }

  @Override
  public WorkerJobs own() {
    return own;
  }

  @Override
  public void offer(Assignment assignment) {
    if (own.isDraining()) {
      return;
    }
    jobs.add(assignment.claim()).ifPresent(entry -> tasks.add(() -> start(entry, assignment)));
  }

  private void start(LocalJobs.Entry entry, Assignment assignment) {
    if (!own.goesOn() || !jobs.advance(entry, LocalJobs.Stage.QUEUED, LocalJobs.Stage.RUNNING)) {
      return;
    }
    JobClaim claim = entry.claim();
    if (KeyMessages.isBox(claim.key())) {
      deliver(entry);
      return;
    }
    life.core().counts().add(PoolCounts.What.STARTED);
    try {
      OwnedJob job = new OwnedJob(assignment, life.client(), () -> own.isLost(entry));
      TaskThread.callHandler(() -> handler.start(job));
    } catch (Throwable failure) {
      startFailed(entry, assignment, failure);
      return;
    }
    report(
        claim,
        (rows, now) -> JobTransitions.started(rows, claim, now),
        held -> afterStart(entry, held));
  }

  /** Has the store told; waits only if very much is to be told. */
  private void report(JobClaim claim, JobReports.Transition transition, Consumer<Boolean> then) {
    tasks.call(
        () -> {
          life.reports().add(claim.key(), transition, then);
          return claim;
        });
  }

  private void deliver(LocalJobs.Entry entry) {
    try {
      new MessageDelivery(life, this::message, tasks::call)
          .deliver(entry.claim(), () -> !own.isDraining());
    } finally {
      jobs.remove(entry);
    }
    if (jobs.queued() == 0) {
      life.drained();
    }
  }

  private void message(String key, byte[] payload) throws Exception {
    TaskThread.callHandler(() -> handler.message(key, payload));
  }

  /** Has the handler stop the job {@code key}. */
  private void stop(String key) throws Exception {
    TaskThread.callHandler(() -> handler.stop(key));
  }

  private void afterStart(LocalJobs.Entry entry, boolean held) {
    if (!held) {
      tasks.add(() -> stopLost(entry));
    }
    if (jobs.queued() == 0) {
      life.drained();
    }
  }

  private void startFailed(LocalJobs.Entry entry, Assignment assignment, Throwable failure) {
    jobs.end(entry);
    StartFailure failed = new StartFailure(entry, assignment, failure);
    report(entry.claim(), failed, failed);
  }

  /** A start that failed: what the store is told, and what is reported if no caller is told. */
  private final class StartFailure implements JobReports.Transition, Consumer<Boolean> {
    private final LocalJobs.Entry entry;
    private final Assignment assignment;
    private final Throwable failure;

    /** What became of it when the store was told last. */
    private JobTransitions.AfterFailure after = JobTransitions.AfterFailure.NOT_OWNED;

    StartFailure(LocalJobs.Entry entry, Assignment assignment, Throwable failure) {
      this.entry = entry;
      this.assignment = assignment;
      this.failure = failure;
    }

    @Override
    public boolean apply(Rows rows, long now) {
      after =
          JobTransitions.startFailed(
              rows,
              entry.claim(),
              PoolCore.describe(failure),
              life.core().options().restartGrace(),
              now);
      return after != JobTransitions.AfterFailure.NOT_OWNED;
    }

    @Override
    public void accept(Boolean held) {
      if (held) {
        life.core().counts().add(PoolCounts.What.FAILED);
        if (after != JobTransitions.AfterFailure.CALLER_IS_TOLD) {
          boolean again = after == JobTransitions.AfterFailure.TRIED_AGAIN;
          life.core().reportAside(assignment.failed(again), failure);
        }
      }
      jobs.remove(entry);
    }
  }

  /** The job runs here although the store gave it to another. */
  private void stopLost(LocalJobs.Entry entry) {
    if (entry.isIn(LocalJobs.Stage.RUNNING)) {
      jobs.end(entry);
      stopQuietly(entry.claim().key());
      jobs.remove(entry);
      life.wake();
    }
  }

  private void stopQuietly(String key) {
    try {
      stop(key);
    } catch (Throwable failure) {
      life.core().report("The job %s was lost and could not be stopped".formatted(key), failure);
    }
  }

  @Override
  public void lookAtMail(String key) {
    if (own.noteMail(key)) {
      tasks.add(() -> open(key));
    }
  }

  private void open(String key) {
    own.lookAtMail(key);
    if (own.goesOn()) {
      jobs.get(key).filter(entry -> entry.isIn(LocalJobs.Stage.RUNNING)).ifPresent(this::read);
    }
  }

  private void read(LocalJobs.Entry entry) {
    JobClaim claim = entry.claim();
    RowStore store = life.core().rows();
    List<JobMail.Letter> letters =
        tasks.call(() -> store.read(rows -> JobMail.letters(rows, claim.key())));
    List<JobMail.Letter> done = new ArrayList<>();
    for (JobMail.Letter letter : letters) {
      if (letter.stop() && stop(entry, letter)) {
        return;
      }
      if (!letter.stop()) {
        notify(claim.key(), letter.payload());
        done.add(letter);
      }
    }
    tasks.call(
        () ->
            store.transact(
                rows -> {
                  JobMail.taken(rows, claim, done);
                  return done.size();
                }));
  }

  private void notify(String key, byte[] payload) {
    try {
      TaskThread.callHandler(() -> handler.notification(key, payload));
    } catch (Throwable failure) {
      life.core().report("The notification for the job %s failed".formatted(key), failure);
    }
  }

  /** Stops the job for good, as somebody asked; whether it could. */
  private boolean stop(LocalJobs.Entry entry, JobMail.Letter letter) {
    JobClaim claim = entry.claim();
    try {
      stop(claim.key());
    } catch (Throwable failure) {
      String text = PoolCore.describe(failure);
      return tasks.call(() -> refuse(claim, letter, text));
    }
    jobs.end(entry);
    try {
      boolean held =
          tasks.call(
              () ->
                  life.reports()
                      .await(claim.key(), (rows, now) -> JobTransitions.removed(rows, claim, now)));
      if (held) {
        life.core().counts().add(PoolCounts.What.STOPPED);
      }
    } finally {
      jobs.remove(entry);
    }
    return true;
  }

  /** Says that a job could not be stopped. */
  private boolean refuse(JobClaim claim, JobMail.Letter letter, String text) {
    long now = life.core().now();
    return life.core()
        .rows()
        .transact(
            rows -> {
              JobMail.refused(rows, claim, letter, text, now);
              return false;
            });
  }

  @Override
  public void rebalance(WorkerSlots slots) {
    toMoveMore = false;
    tasks.add(
        () -> {
          List<Throwable> failures =
              giveAway(Ending.HAND_OVER, key -> !own.belongsHere(key, slots));
          toMoveMore = !failures.isEmpty();
          failures.forEach(
              failure -> life.core().report("A job does not move to its worker yet", failure));
        });
  }

  @Override
  public boolean isToMoveMore() {
    return toMoveMore;
  }

  private List<Throwable> giveAway(Ending ending, Predicate<String> belongsElsewhere) {
    HandOver handOver = new HandOver(life.core(), jobs, ending, own::goesOn);
    List<Throwable> failures = new ArrayList<>();
    jobs.in(LocalJobs.Stage.QUEUED, belongsElsewhere).forEach(entry -> giveAway(handOver, entry));
    for (LocalJobs.Entry entry : jobs.in(LocalJobs.Stage.RUNNING, belongsElsewhere)) {
      try {
        stop(entry.claim().key());
        jobs.end(entry);
        giveAway(handOver, entry);
      } catch (Throwable failure) {
        failures.add(
            new PoolException(
                "The job %s could not be stopped".formatted(entry.claim().key()), failure));
      }
    }
    tasks.call(
        () -> {
          handOver.flush();
          return handOver;
        });
    return failures;
  }

  private void giveAway(HandOver handOver, LocalJobs.Entry entry) {
    tasks.call(
        () -> {
          handOver.add(entry);
          return handOver;
        });
  }

  @Override
  public boolean runsOn(Thread thread) {
    return tasks.runsOn(thread);
  }

  @Override
  public List<Throwable> drain(Ending ending, Duration patience) {
    own.drain();
    return tasks.await(() -> giveAwayAll(ending), patience);
  }

  /** With the lease the jobs have gone to others; then it is enough to stop them here. */
  private List<Throwable> giveAwayAll(Ending ending) {
    List<Throwable> failures;
    try {
      failures = giveAway(ending, key -> true);
    } catch (RuntimeException failure) {
      failures = List.of(failure);
    }
    return failures.isEmpty() || !life.isLost() ? failures : stopLostJobs();
  }

  @Override
  public void abandon(Duration patience) {
    own.drain();
    tasks.giveUpCalls();
    tasks
        .await(this::stopLostJobs, patience)
        .forEach(failure -> life.core().report("A lost job may still run", failure));
    end();
  }

  private List<Throwable> stopLostJobs() {
    for (LocalJobs.Entry entry : jobs.in(LocalJobs.Stage.RUNNING, key -> true)) {
      jobs.end(entry);
      stopQuietly(entry.claim().key());
    }
    jobs.all().forEach(jobs::remove);
    return List.of();
  }

  @Override
  public void end() {
    tasks.end();
  }
}
