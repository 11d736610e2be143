package dev.tidemark.pulse.internal.pool.node;

import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.internal.pool.member.PoolCore;
import dev.tidemark.pulse.internal.pool.rows.Crons;
import dev.tidemark.pulse.internal.pool.rows.Dispatching;
import dev.tidemark.pulse.internal.pool.rows.JobOutcomes;
import dev.tidemark.pulse.internal.pool.rows.JobRow;
import dev.tidemark.pulse.internal.pool.rows.Membership;
import dev.tidemark.pulse.internal.pool.rows.PoolKeys;
import dev.tidemark.pulse.internal.pool.rows.Repair;
import dev.tidemark.pulse.internal.pool.rows.WorkerSlots;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What nodes do for the pool as a whole. Every node does all of it from time to time; each step is
 * a transition that finds out whether it is still to be done.
 */
final class Upkeep {
  private static final int BATCH = 256;
  private static final int SWEPT = 1_000;

  private final PoolCore core;

  /** Where the next page of the check of all jobs begins. */
  private Tuple checked = PoolKeys.JOBS;

  // The same for the sweep of answers and of outcomes.
  private Tuple sweptReplies = PoolKeys.REPLIES;
  private Tuple sweptOnce = PoolKeys.ONCE;

  Upkeep(PoolCore core) {
    this.core = core;
  }

  /** One round. */
  void round() {
    removeDeadNodes();
    core.rows().transact(Membership::removeStrays);
    takeAbandonedJobs();
    placeWaitingJobs();
    checkSomeJobs();
    sweepAnswers();
    core.backend().sweepExpired();
  }

  private void sweepAnswers() {
    long now = core.now();
    sweptReplies = JobOutcomes.sweepReplies(core.rows(), sweptReplies, now, SWEPT);
    sweptOnce = JobOutcomes.sweepOnce(core.rows(), sweptOnce, now, SWEPT);
  }

  void removeDeadNodes() {
    long now = core.now();
    for (String node : core.rows().read(rows -> Membership.expired(rows, now))) {
      core.rows().transact(rows -> Membership.expire(rows, node, now));
    }
  }

  void takeAbandonedJobs() {
    for (String worker : core.rows().read(Membership::abandoned)) {
      takeAll(worker);
    }
  }

  /** Gives all jobs of a worker, which has left its slot and runs none, to others. */
  void takeAll(String worker) {
    boolean more = true;
    while (more) {
      more = core.rows().transact(rows -> Membership.takeSome(rows, worker, BATCH));
    }
  }

  void placeWaitingJobs() {
    int placed = BATCH;
    while (placed == BATCH) {
      placed = core.rows().transact(rows -> Dispatching.placeWaiting(rows, BATCH));
    }
  }

  /** Finds jobs whose owner is not there at all, which no transition leaves behind. */
  private void checkSomeJobs() {
    List<Rows.Row> page = core.rows().read(rows -> rows.peek(PoolKeys.JOBS, checked, SWEPT));
    checked = page.size() < SWEPT ? PoolKeys.JOBS : page.getLast().key();
    WorkerSlots slots = core.rows().read(Dispatching::slots);
    for (Rows.Row row : page) {
      Optional<String> owner = JobRow.decode(row.value()).owner();
      if (owner.isPresent() && !slots.contains(owner.get())) {
        core.rows()
            .transact(rows -> Repair.takeOrphan(rows, PoolKeys.last(row.key()), owner.get()));
      }
    }
  }

  /** Starts what is due; when the next is, in milliseconds. */
  OptionalLong startDue() {
    while (true) {
      long now = core.now();
      List<Rows.Row> page = core.rows().read(rows -> rows.peek(PoolKeys.DUE, PoolKeys.DUE, BATCH));
      List<Tuple> due =
          page.stream().map(Rows.Row::key).filter(key -> key.getLong(1) <= now).toList();
      if (!due.isEmpty()) {
        startAll(due, now);
      }
      if (due.size() < BATCH) {
        return page.stream()
            .mapToLong(row -> row.key().getLong(1))
            .filter(time -> time > now)
            .findFirst();
      }
    }
  }

  /** Jobs together; cron schedules, which write payloads, in a transaction each. */
  private void startAll(List<Tuple> due, long now) {
    List<Tuple> jobs = due.stream().filter(Upkeep::isOfJob).toList();
    if (!jobs.isEmpty()) {
      core.rows().transact(rows -> startAll(rows, jobs, now));
    }
    for (Tuple key : due) {
      if (!isOfJob(key)) {
        core.rows().transact(rows -> startAll(rows, List.of(key), now));
      }
    }
  }

  private static boolean isOfJob(Tuple due) {
    return due.getString(2).equals(PoolKeys.DUE_JOB);
  }

  private int startAll(Rows rows, List<Tuple> due, long now) {
    rows.getAll(due);
    for (Tuple key : due) {
      if (rows.get(key).isPresent()) {
        rows.clear(key);
        start(rows, key, now);
      }
    }
    return due.size();
  }

  private void start(Rows rows, Tuple key, long now) {
    long due = key.getLong(1);
    if (isOfJob(key)) {
      Dispatching.start(rows, PoolKeys.last(key), due);
    } else {
      long lateMax = 2 * core.config().workerTtl();
      Crons.Moment moment = new Crons.Moment(due, now, lateMax);
      Crons.fire(rows, PoolKeys.last(key), moment, core.config(), core.options().retry());
    }
  }
}
