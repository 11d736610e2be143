package dev.tidemark.chaos.ledger;

import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Parent;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The newest version that any writer of this process has seen committed: whoever begins later must
 * read at least that.
 */
public final class Horizon {
  private final Parent parent;
  private final AtomicLong newest = new AtomicLong();

  public Horizon(Parent parent) {
    this.parent = parent;
  }

  public long newest() {
    return newest.get();
  }

  public void committed(long version) {
    newest.accumulateAndGet(version, Math::max);
  }

  /** Complains if a transaction that began after {@code newestBefore} was seen reads less. */
  public void check(Deed deed, long readVersion, long newestBefore) {
    if (readVersion < newestBefore) {
      parent.tell(
          new Message.Complaint(
              "Writer %d reads version %d although version %d was acknowledged before"
                  .formatted(deed.writer(), readVersion, newestBefore)));
    }
  }
}
