package dev.tidemark.pulse.testkit;

/** The base of the pool suites in which nodes lose their connection to the store. */
public abstract class CutPoolConformance extends PoolConformance {
  /** For subclasses. */
  protected CutPoolConformance() {}

  /** Opens a pulse on the store of the running test whose way there can be cut. */
  protected abstract CutPulse openToCut();

  /** A pulse whose way to the store can be cut. The leases of this test are short. */
  protected final CutPulse cuttable() {
    leaseIs(TTL);
    return openToCut();
  }
}
