package dev.tidemark.chaos.ledger;

import dev.tidemark.kv.Versionstamp;

/** A way to get a deed done, whatever happens to its attempts. */
@FunctionalInterface
public interface Committer {
  /** Commits the deed exactly once and returns its place. Fails if that is not possible. */
  Versionstamp commit(Deed deed);
}
