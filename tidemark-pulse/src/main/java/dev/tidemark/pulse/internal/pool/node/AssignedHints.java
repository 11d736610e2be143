package dev.tidemark.pulse.internal.pool.node;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.internal.pool.rows.AssignedHint;
import dev.tidemark.pulse.internal.pool.rows.Assignment;
import dev.tidemark.pulse.internal.pool.rows.JobClaim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Which jobs were assigned to a node, as its channel says. They spare the node the search for them;
 * when there are too many, or something else may have happened, it searches.
 *
 * <p>A job of which everything was told is started at once, unless a search has found it first or
 * is about to: what was told then may be of the past.
 */
final class AssignedHints {
  private static final int MAX = 256;
  private static final int FOUND_MAX = 4_096;

  // Guarded by this.
  private final List<Tuple> rows = new ArrayList<>();
  private boolean search = true;
  private boolean looking;

  /** The epochs of jobs that a search found and of which the channel has not told since. */
  private final Map<String, Long> found =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > FOUND_MAX;
        }
      };

  /** Takes in that the channel told nothing in particular: the node has to search. */
  synchronized void search() {
    search = true;
    rows.clear();
  }

  /** Takes in what the channel told of a job, for the next look. */
  synchronized void add(AssignedHint hint) {
    if (rows.size() == MAX) {
      search();
    } else if (!search) {
      rows.add(hint.row());
    }
  }

  /**
   * Hands {@code assignment}, which the channel told, to {@code start} unless a search has found it
   * before. False if the node has to look instead.
   */
  synchronized boolean startAtOnce(Assignment assignment, Consumer<Assignment> start) {
    if (search || looking) {
      return false;
    }
    JobClaim claim = assignment.claim();
    Long epoch = found.get(claim.key());
    if (epoch == null || epoch < claim.epoch()) {
      start.accept(assignment);
    }
    if (epoch != null && epoch <= claim.epoch()) {
      found.remove(claim.key());
    }
    return true;
  }

  /**
   * Begins a look.
   *
   * @return the rows that were told since the last time; nothing if the node is to search
   */
  synchronized Optional<List<Tuple>> take() {
    Optional<List<Tuple>> told = search ? Optional.empty() : Optional.of(List.copyOf(rows));
    search = false;
    looking = true;
    rows.clear();
    return told;
  }

  /** Notes that a search has found a job. */
  synchronized void found(JobClaim claim) {
    Long before = found.remove(claim.key());
    long latest = before == null ? claim.epoch() : Math.max(before, claim.epoch());
    found.put(claim.key(), latest); // behind all others, so that it is kept longest
  }

  /** Ends a look. */
  synchronized void looked() {
    looking = false;
  }
}
