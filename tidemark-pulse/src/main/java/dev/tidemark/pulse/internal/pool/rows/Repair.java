package dev.tidemark.pulse.internal.pool.rows;

import dev.tidemark.coordination.Rows;
import java.util.Optional;

/**
 * Repairs states that no transition leaves behind: the store lost some of its rows, or they were
 * removed by hand.
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
