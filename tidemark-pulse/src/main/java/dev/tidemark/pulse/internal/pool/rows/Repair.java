package dev.tidemark.pulse.internal.pool.rows;

import dev.tidemark.coordination.Rows;
import java.util.Optional;

/**
 * Puts right what no transition leaves behind, but what a store that lost some of its rows, or
 * somebody who removed them by hand, does.
 */
public final class Repair {
  private Repair() {}

  /** Gives the job {@code key} another owner if {@code owner} is not there; whether it was not. */
  public static boolean takeOrphan(Rows rows, String key, String owner) {
    WorkerSlots slots = Dispatching.slots(rows);
    if (slots.contains(owner) || rows.get(PoolKeys.LEAVING.append(owner)).isPresent()) {
      return false;
    }
    Optional<JobRow> orphan =
        JobTable.get(rows, key).filter(job -> job.owner().filter(owner::equals).isPresent());
    orphan.ifPresent(job -> JobTable.put(rows, key, job, job.assignedBy(slots, key)));
    return orphan.isPresent();
  }
}
