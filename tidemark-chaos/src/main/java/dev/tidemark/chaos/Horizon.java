package dev.tidemark.chaos;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The newest version that any writer of this process has seen committed: whoever begins later must
 * read at least that.
 */
final class Horizon {
  private final Parent parent;
  private final AtomicLong newest = new AtomicLong();

  Horizon(Parent parent) {
    this.parent = parent;
  }

  long newest() {
    return newest.get();
  }

  void committed(long version) {
    newest.accumulateAndGet(version, Math::max);
  }

  /** Complains if a transaction that began after {@code newestBefore} was seen reads less. */
  void check(Deed deed, long readVersion, long newestBefore) {
    if (readVersion < newestBefore) {
      parent.tell(
          new Message.Complaint(
              "Writer %d reads version %d although version %d was acknowledged before"
                  .formatted(deed.writer(), readVersion, newestBefore)));
    }
  }
}
