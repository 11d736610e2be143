package dev.tidemark.partitions.internal.client;

import com.google.protobuf.ByteString;
import dev.tidemark.partitions.internal.wire.RequestId;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Numbers the requests of a client. Servers are told the number below which every request has its
 * answer, so that they can forget those answers.
 */
final class Sequences {
  private final ByteString client;
  private final ConcurrentSkipListSet<Long> open = new ConcurrentSkipListSet<>();
  private final ReentrantLock numbering = new ReentrantLock();

  // Guarded by numbering.
  private long last;

  Sequences() {
    UUID random = UUID.randomUUID();
    this.client =
        ByteString.copyFrom(
            ByteBuffer.allocate(16)
                .putLong(random.getMostSignificantBits())
                .putLong(random.getLeastSignificantBits())
                .flip());
  }

  /** The number of a new request, which is open until {@link #settle}. */
  long begin() {
    numbering.lock();
    try {
      // Marked as open before a later number is given out, so that it is never taken for settled.
      open.add(++last);
      return last;
    } finally {
      numbering.unlock();
    }
  }

  void settle(long number) {
    open.remove(number);
  }

  RequestId id(long number) {
    Long oldest = open.ceiling(Long.MIN_VALUE);
    return RequestId.newBuilder()
        .setClient(client)
        .setSequence(number)
        .setSettledBelow(oldest == null ? number : Math.min(oldest, number))
        .build();
  }
}
