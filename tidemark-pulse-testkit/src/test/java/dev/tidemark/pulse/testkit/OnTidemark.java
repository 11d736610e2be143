package dev.tidemark.pulse.testkit;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.foundationdb.FoundationDb;
import dev.tidemark.kv.Database;
import dev.tidemark.testkit.cluster.ClusterLikeDatabase;
import dev.tidemark.testkit.cluster.GivenCluster;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import java.time.Duration;

/** The stores of Tidemark that the suites run on. */
final class OnTidemark {
  /** {@code -Dtidemark.store=cluster-like} has all suites run on such a store. */
  private static final boolean CLUSTER_LIKE =
      System.getProperty("tidemark.store", "embedded").equals("cluster-like");

  /** Seldom enough for transactions to get through, often enough to come between them. */
  private static final int RECOVERED_EVERY = 50;

  private OnTidemark() {}

  /** A store in memory. */
  static Database inMemory() {
    return CLUSTER_LIKE ? clusterLike() : EmbeddedDatabase.inMemory();
  }

  /** The given cluster; without one, a store in memory that acts like one and recovers at times. */
  static Database clusterLike() {
    return GivenCluster.isGiven()
        ? GivenCluster.emptied(FoundationDb::open)
        : ClusterLikeDatabase.over(clock -> EmbeddedDatabase.inMemory(o -> o.withTime(clock)))
            .recoveringEvery(RECOVERED_EVERY);
  }

  /**
   * The given cluster; without one, a store in memory that acts like one, whose transactions take
   * as long to begin.
   */
  static Database slowlyBeginning() {
    return GivenCluster.isGiven()
        ? GivenCluster.emptied(FoundationDb::open)
        : ClusterLikeDatabase.over(clock -> EmbeddedDatabase.inMemory(o -> o.withTime(clock)))
            .beginningAfter(Duration.ofMillis(8));
  }

  /** A store in memory, every tenth commit of which goes wrong somehow. */
  static Database faulty() {
    return FaultyDatabase.over(
        EmbeddedDatabase.inMemory(), FaultPlan.random(1, 0.1, Fault.values()));
  }
}
