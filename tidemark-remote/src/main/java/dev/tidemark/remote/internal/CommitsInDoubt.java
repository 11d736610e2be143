package dev.tidemark.remote.internal;

import com.google.protobuf.ByteString;
import dev.tidemark.kv.internal.CommitId;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** To which stores those commits were sent whose results are unknown and may be asked for. */
final class CommitsInDoubt {
  /** Of more than so many, which nobody has settled, the later ones are not noted. */
  private static final int MOST = 10_000;

  private final ConcurrentHashMap<CommitId, ByteString> stores = new ConcurrentHashMap<>();

  /** Notes that a commit was sent to {@code store}. */
  void add(CommitId id, ByteString store) {
    if (stores.size() < MOST) {
      stores.put(id, store);
    }
  }

  /** Whether a commit was sent to another store than {@code store}, as far as is known. */
  boolean isOfAnother(CommitId id, ByteString store) {
    @Nullable ByteString sentTo = stores.get(id);
    return sentTo != null && !sentTo.equals(store);
  }

  /** Nobody will ask for this one any more. */
  void settled(CommitId id) {
    stores.remove(id);
  }
}
