package dev.tidemark.remote.internal.client;

import com.google.protobuf.ByteString;
import dev.tidemark.kv.spi.commit.CommitId;
import java.util.LinkedHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The stores to which commits in doubt were sent, for as long as their outcomes may be asked for.
 */
final class CommitsInDoubt {
  /** If more than so many are not settled, the oldest are forgotten. */
  static final int MOST = 10_000;

  private final ReentrantLock lock = new ReentrantLock();

  /** The oldest first. */
  private final LinkedHashMap<CommitId, ByteString> stores = new LinkedHashMap<>();

  /** Notes that a commit was sent to {@code store}. */
  void add(CommitId id, ByteString store) {
    lock.lock();
    try {
      stores.putLast(id, store);
      if (stores.size() > MOST) {
        stores.pollFirstEntry();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether a commit was sent to another store than {@code store}, as far as is known. */
  boolean isOfAnother(CommitId id, ByteString store) {
    lock.lock();
    try {
      @Nullable ByteString sentTo = stores.get(id);
      return sentTo != null && !sentTo.equals(store);
    } finally {
      lock.unlock();
    }
  }

  /** Forgets a commit whose outcome is known. */
  void settled(CommitId id) {
    lock.lock();
    try {
      stores.remove(id);
    } finally {
      lock.unlock();
    }
  }
}
