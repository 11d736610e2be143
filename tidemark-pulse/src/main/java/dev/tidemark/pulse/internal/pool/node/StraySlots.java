package dev.tidemark.pulse.internal.pool.node;

import dev.tidemark.pulse.internal.pool.member.PoolCore;
import dev.tidemark.pulse.internal.pool.rows.Membership;
import dev.tidemark.pulse.internal.pool.rows.PoolKeys;
import dev.tidemark.pulse.internal.pool.rows.WorkerSlots;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Slots of the pool that belong to a node although it has no worker for them: a worker was added
 * and the reply was lost, or it was removed while the node rejoined. Jobs assigned to such a slot
 * would wait for ever.
 *
 * <p>Used by the thread of the loop.
 */
final class StraySlots {
  private final PoolCore core;
  private final Upkeep upkeep;

  /** Workers out of the slots whose jobs are still to be taken. */
  private final Set<String> left = new LinkedHashSet<>();

  StraySlots(PoolCore core, Upkeep upkeep) {
    this.core = core;
    this.upkeep = upkeep;
  }

  /**
   * Gives the jobs of stray slots to others.
   *
   * @param slots as it was before {@code local} was asked for: a worker is local before it is in
   *     the slots
   * @param node the id of the node
   * @param local the ids of its workers
   */
  void clear(WorkerSlots slots, String node, Set<String> local) {
    List<String> strays =
        slots.workers().stream()
            .filter(worker -> PoolKeys.nodeOf(worker).equals(node) && !local.contains(worker))
            .toList();
    if (!strays.isEmpty()) {
      left.addAll(strays);
      core.rows()
          .transact(
              rows -> {
                Membership.beginLeave(rows, strays);
                return strays;
              });
    }
    for (String worker : List.copyOf(left)) {
      upkeep.takeAll(worker);
      left.remove(worker);
    }
  }
}
