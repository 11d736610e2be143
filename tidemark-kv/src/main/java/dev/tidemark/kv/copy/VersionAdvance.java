package dev.tidemark.kv.copy;

import dev.tidemark.kv.UsageException;

/** A store whose versions can be advanced. */
public interface VersionAdvance {
  /**
   * Makes every later commit of this store get a version greater than {@code version}, also after
   * the store is opened again. Nothing changes if its versions are greater already. Transactions
   * that are open meanwhile may become too old.
   *
   * @throws UsageException if {@code version} is so large that versions would run out
   */
  void advanceVersion(long version);
}
