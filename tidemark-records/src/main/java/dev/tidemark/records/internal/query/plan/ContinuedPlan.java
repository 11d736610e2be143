package dev.tidemark.records.internal.query.plan;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The plan that a query has begun with. Once statistics are renewed, the planner may combine other
 * indexes and not find that plan any more; whoever reads on in the same process goes on with it.
 * Used by one thread.
 */
public final class ContinuedPlan {
  private @Nullable Candidate by;
  private @Nullable Catalog catalog;

  /** Notes that {@code plan} is run, which was made for {@code now}. */
  public void note(Candidate plan, Catalog now) {
    by = plan;
    catalog = now;
  }

  /** The plan, if it has {@code fingerprint} and its indexes can be read {@code now} as before. */
  public Optional<Candidate> find(long fingerprint, Catalog now) {
    Candidate plan = by;
    Catalog before = catalog;
    if (plan == null || before == null || plan.fingerprint() != fingerprint) {
      return Optional.empty();
    }
    boolean possible =
        before.indexes().stream()
            .filter(route -> plan.plan().uses(route.index().orElseThrow()))
            .allMatch(route -> now.indexes().stream().anyMatch(route::hasEntriesOf));
    return possible ? Optional.of(plan) : Optional.empty();
  }
}
