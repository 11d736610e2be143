package dev.tidemark.kv.spi.commit;

import dev.tidemark.kv.DatabaseException;
import java.util.function.Supplier;

/**
 * Receives the outcome of a commit that no thread waits for. It is called once, by the committer or
 * by the thread that closes the database: it must not block and must not throw.
 */
public interface CommitListener {
  /** The commit happened, and stands at {@code position}. */
  void committed(Commit.Position position);

  /** The commit failed; {@code why} is to be called by a thread that has time for it. */
  void failed(Supplier<? extends DatabaseException> why);

  /**
   * Called after the outcomes of all commits that ended together were delivered; replies that were
   * held back for that can be sent.
   */
  void allTold();
}
