package dev.tidemark.coordination;

import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.Versionstamp;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The place of a transaction's commit, if it is known.
 *
 * <p>If a commit was in doubt at first and turned out to have happened, its transaction never
 * learned its place.
 */
public final class Commits {
  private Commits() {}

  /** The version of the commit of {@code tx}; empty if it is not known. */
  public static OptionalLong version(Transaction tx) {
    try {
      long version = tx.committedVersion();
      return version < 0 ? OptionalLong.empty() : OptionalLong.of(version);
    } catch (UsageException unknown) {
      return OptionalLong.empty();
    }
  }

  /** The stamp of the commit of {@code tx}; empty if it is not known. */
  public static Optional<Versionstamp> stamp(Transaction tx) {
    try {
      return Optional.of(tx.versionstamp());
    } catch (UsageException unknown) {
      return Optional.empty();
    }
  }
}
