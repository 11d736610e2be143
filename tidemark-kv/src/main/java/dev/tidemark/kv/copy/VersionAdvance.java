package dev.tidemark.kv.copy;

import dev.tidemark.kv.UsageException;

/** A store that can be told to go on with later versions. */
public interface VersionAdvance {
  /**
   * Has every later commit of this store get a version greater than {@code version}, also after it
   * was opened again. Nothing changes where versions are there already. Transactions that are open
   * meanwhile may become too old.
   *
   * @throws UsageException if {@code version} is so large that versions would run out
   */
  void advanceVersion(long version);
}
