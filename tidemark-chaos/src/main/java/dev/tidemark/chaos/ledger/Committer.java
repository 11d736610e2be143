package dev.tidemark.chaos.ledger;

import dev.tidemark.kv.Versionstamp;

/** A way to get a deed done, whatever happens to its attempts. */
@FunctionalInterface
public interface Committer {
  /** Does it exactly once and returns its place. Fails if it cannot be done at all. */
  Versionstamp commit(Deed deed);
}
