package dev.tidemark.kv.spi;

import dev.tidemark.kv.DatabaseException;
import java.util.function.Supplier;

/**
 * What is told how a commit ended that no thread waits for. It is told once, by the thread that
 * carries out all commits or by one that closes the database: it must not wait, and must not throw.
 */
public interface CommitListener {
  /** The commit happened, and stands at {@code position}. */
  void committed(Commit.Position position);

  /** The commit failed; {@code why} is to be called by a thread that has time for it. */
  void failed(Supplier<? extends DatabaseException> why);

  /** All commits that ended together have been told of; what waited for that can be sent. */
  void allTold();
}
