package dev.tidemark.records.internal.query.plan;

import java.util.List;
import java.util.Optional;

/**
 * What the planner found for a query.
 *
 * @param candidates all plans that answer it, the cheapest first; at least one. One of infinite
 *     cost cannot be run with the values of the query
 */
public record RankedPlans(List<Candidate> candidates) {
  /** Copies the list. */
  public RankedPlans {
    candidates = List.copyOf(candidates);
  }

  /** The plan to run. */
  public Candidate chosen() {
    return candidates.getFirst();
  }

  /** The candidate with {@code fingerprint}, to go on with what it has begun. */
  public Optional<Candidate> find(long fingerprint) {
    return candidates.stream()
        .filter(candidate -> candidate.fingerprint() == fingerprint)
        .findFirst();
  }
}
