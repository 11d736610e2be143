package dev.tidemark.records.internal.query.plan;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The plan with which a query began. After new statistics the planner may combine other indexes and
 * no longer find that plan; a reader in the same process keeps it. Used by one thread.
 */
public final class ContinuedPlan {
  private @Nullable Candidate by;
  private @Nullable Catalog catalog;

  /** Keeps {@code plan}, which was made for {@code now}. */
  public void note(Candidate plan, Catalog now) {
    by = plan;
    catalog = now;
  }

  /**
   * The plan, if it has {@code fingerprint} and its indexes are readable and unchanged {@code now}.
   */
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
