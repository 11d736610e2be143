package dev.tidemark.pulse.internal.pool.node;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.internal.pool.member.NodeLife;
import dev.tidemark.pulse.internal.pool.rows.AssignedHint;
import dev.tidemark.pulse.internal.pool.worker.LocalWorker;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Brings jobs to the workers of a node: those that its channel tells of, and those it finds. */
final class JobDelivery {
  private final Supplier<NodeLife> life;
  private final Supplier<Map<String, LocalWorker>> workers;
  private final Runnable wake;
  private final AssignedHints hints = new AssignedHints();

  /**
   * An inbox that is to be searched.
   *
   * @param life the life of the node
   * @param workers its workers by their ids
   * @param wake has {@link #look} called soon
   */
  JobDelivery(Supplier<NodeLife> life, Supplier<Map<String, LocalWorker>> workers, Runnable wake) {
    this.life = life;
    this.workers = workers;
    this.wake = wake;
  }

  /** Takes in what the channel says. Starts at once what was told of in full. */
  void told(byte[] message) {
    if (message.length == 0) {
      searchNow();
      return;
    }
    try {
      told(AssignedHint.decode(message));
    } catch (RuntimeException unreadable) {
      searchNow(); // what it meant is in the store
    }
  }

  private void told(AssignedHint hint) {
    if (!startAtOnce(hint)) {
      hints.add(hint);
      wake.run();
    }
  }

  /** Has a worker start a job of which everything was told; false if the node has to look. */
  private boolean startAtOnce(AssignedHint hint) {
    LocalWorker worker = workers.get().get(hint.worker());
    return worker != null
        && worker.queued() < WorkSearch.QUEUED_MAX
        && hint.assignment()
            .filter(assignment -> hints.startAtOnce(assignment, worker::offer))
            .isPresent();
  }

  /** The next look is a search, because something may not have been told. */
  void search() {
    hints.search();
  }

  /** The same, and it is soon. */
  void searchNow() {
    hints.search();
    wake.run();
  }

  /** Gives the workers what there is for them. */
  void look() {
    Optional<List<Tuple>> assigned = hints.take();
    WorkSearch current = new WorkSearch(life.get(), hints);
    try {
      assigned.ifPresentOrElse(
          rows -> current.lookAt(rows, workers.get()), () -> current.look(workers.get()));
    } catch (RuntimeException failure) {
      hints.search();
      throw failure;
    } finally {
      hints.looked();
    }
  }
}
