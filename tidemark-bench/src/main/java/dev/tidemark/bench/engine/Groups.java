package dev.tidemark.bench.engine;

import dev.tidemark.bench.measure.Contestant;
import dev.tidemark.bench.rows.Engine;
import dev.tidemark.embedded.EngineStatistics;

/** How many commits the engine carries out with one sync, while certain loads run. */
final class Groups {
  private final Engine engine;
  private long commits;
  private long groups;

  Groups(Engine engine) {
    this.engine = engine;
  }

  /** {@code load}, with its groups counted. */
  Contestant over(Contestant load) {
    return deadline -> {
      EngineStatistics before = engine.database().statistics();
      long operations = load.run(deadline);
      EngineStatistics after = engine.database().statistics();
      commits += after.commits() - before.commits();
      groups += after.commitGroups() - before.commitGroups();
      return operations;
    };
  }

  /** Commits in a group on average. */
  double size() {
    return groups == 0 ? 0 : (double) commits / groups;
  }
}
