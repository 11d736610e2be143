package dev.tidemark.records.internal.query.plan;

import java.util.List;
import java.util.Optional;

/**
 * The plans of a query, ranked by cost.
 *
 * @param candidates the plans, the cheapest first; at least one. A plan of infinite cost cannot run
 *     with the values of the query
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

  /** The candidate with {@code fingerprint}, with which a continuation resumes. */
  public Optional<Candidate> find(long fingerprint) {
    return candidates.stream()
        .filter(candidate -> candidate.fingerprint() == fingerprint)
        .findFirst();
  }
}
