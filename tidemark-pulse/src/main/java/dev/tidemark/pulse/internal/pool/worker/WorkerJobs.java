package dev.tidemark.pulse.internal.pool.worker;

import dev.tidemark.pulse.internal.pool.member.NodeLife;
import dev.tidemark.pulse.internal.pool.rows.WorkerSlots;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What every worker of a node is and has, whatever kind of jobs it takes. */
final class WorkerJobs {
  private final NodeLife life;
  private final String id;
  private final LocalJobs jobs = new LocalJobs();

  /** Jobs whose mail is going to be looked at. */
  private final Set<String> mail = ConcurrentHashMap.newKeySet();

  private volatile boolean draining;

  WorkerJobs(NodeLife life, String id) {
    this.life = life;
    this.id = id;
  }

  String id() {
    return id;
  }

  LocalJobs local() {
    return jobs;
  }

  /** From now on nothing new is started. */
  void drain() {
    draining = true;
  }

  boolean isDraining() {
    return draining;
  }

  /** Whether the worker may go on: it is not draining, and its node holds its lease. */
  boolean goesOn() {
    return !draining && !life.isLost();
  }

  boolean isQueued(String key) {
    return jobs.get(key).filter(entry -> entry.isIn(LocalJobs.Stage.QUEUED)).isPresent();
  }

  long epochOf(String key) {
    return jobs.get(key).map(entry -> entry.claim().epoch()).orElse(0L);
  }

  /** Whether others may have the job, or it runs no more. */
  boolean isLost(LocalJobs.Entry entry) {
    return life.isLost() || !entry.isIn(LocalJobs.Stage.RUNNING);
  }

  /** Whether {@code slots} gives the job to this worker. */
  boolean belongsHere(String key, WorkerSlots slots) {
    return slots.route(key).filter(id::equals).isPresent();
  }

  /** Notes that a job has mail; whether somebody has to look now. */
  boolean noteMail(String key) {
    return !draining && mail.add(key);
  }

  /** The mail of a job is being looked at; what comes from now on is noted again. */
  void lookAtMail(String key) {
    mail.remove(key);
  }
}
