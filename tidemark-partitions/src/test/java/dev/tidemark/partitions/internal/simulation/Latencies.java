package dev.tidemark.partitions.internal.simulation;

/**
 * How long things take in a simulated cluster, in milliseconds of virtual time.
 *
 * @param lease of a node, which it renews three times in its length
 * @param commit of a transaction of the manager
 * @param load of a partition by its new owner: checkpoint, log, replay
 * @param rowsPerMilli rows of routes or owners that the manager reads in a millisecond
 * @param atOnce operations that run side by side
 */
record Latencies(double lease, double commit, double load, double rowsPerMilli, int atOnce) {
  /** Leases of the defaults, a store across the network, partitions of some megabytes. */
  static final Latencies TYPICAL = new Latencies(10_000, 3, 30, 1_000, 16);

  /** The reconciler looks this often in a lease. */
  private static final double LOOKS = 10;

  double look() {
    return lease / LOOKS;
  }
}
