package dev.tidemark.pulse.internal.pool.worker;

import dev.tidemark.pulse.internal.pool.rows.Assignment;
import dev.tidemark.pulse.internal.pool.rows.WorkerSlots;
import java.time.Duration;
import java.util.List;

/** A worker of this node during one life of it. */
public sealed interface LocalWorker permits HandlerWorker, RunnerWorker {
  /** What becomes of jobs that a worker stops because it ends. */
  enum Ending {
    /** They go to other workers. */
    HAND_OVER,
    /** They are forgotten. */
    FORGET
  }

  /** What it is and has. */
  WorkerJobs own();

  default String id() {
    return own().id();
  }

  /** The keys of the jobs that run, in order. */
  default List<String> jobs() {
    return own().local().running();
  }

  /** How many they are. */
  default int runningJobs() {
    return own().local().runningJobs();
  }

  /** Whether the job waits for its start here, so that nothing new is to be learned of it. */
  default boolean isQueued(String key) {
    return own().isQueued(key);
  }

  /** The epoch in which the worker has the job, or had until the store is told; 0 if it has not. */
  default long epochOf(String key) {
    return own().epochOf(key);
  }

  /** How many jobs wait for their start here. */
  default int queued() {
    return own().local().queued();
  }

  /** Has a job started, unless it was. */
  void offer(Assignment assignment);

  /** Has the mail of a job looked at. */
  void lookAtMail(String key);

  /** Has those jobs moved that belong to others by {@code slots}. */
  void rebalance(WorkerSlots slots);

  /** Whether a job could not be stopped to be moved; {@link #rebalance} tries again. */
  boolean isToMoveMore();

  /** Whether {@code thread} is one that it calls its handler by. */
  boolean runsOn(Thread thread);

  /**
   * Starts no more jobs, stops all that it has and gives them away.
   *
   * @return why jobs could not be stopped; those go on
   */
  List<Throwable> drain(Ending ending, Duration patience);

  /** Ends its threads; it has no jobs any more. */
  void end();

  /** Stops all jobs without a word to the store, where they are no longer this worker's. */
  void abandon(Duration patience);
}
