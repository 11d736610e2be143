package dev.tidemark.pulse.internal;

import java.util.ArrayList;
import java.util.List;

/** Jobs that a worker has stopped and gives away, some hundred in one transaction. */
final class HandOver {
  private static final int BATCH = 256;

  private final PoolCore core;
  private final LocalJobs jobs;
  private final LocalWorker.Ending ending;
  private final List<LocalJobs.Entry> stopped = new ArrayList<>();

  HandOver(PoolCore core, LocalJobs jobs, LocalWorker.Ending ending) {
    this.core = core;
    this.jobs = jobs;
    this.ending = ending;
  }

  /** Gives a job away that does not run here any more. */
  void add(LocalJobs.Entry entry) {
    jobs.end(entry);
    stopped.add(entry);
    if (stopped.size() == BATCH) {
      flush();
    }
  }

  /** Tells the store of what it has not been told yet. */
  void flush() {
    if (stopped.isEmpty()) {
      return;
    }
    List<JobClaim> claims = stopped.stream().map(LocalJobs.Entry::claim).toList();
    long now = core.now();
    core.rows()
        .transact(
            rows -> {
              switch (ending) {
                case HAND_OVER -> JobTransitions.handOver(rows, claims);
                case FORGET -> claims.forEach(claim -> JobTransitions.removed(rows, claim, now));
              }
              return claims.size();
            });
    stopped.forEach(jobs::remove);
    stopped.clear();
  }
}
