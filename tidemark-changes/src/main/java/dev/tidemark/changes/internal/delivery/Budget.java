package dev.tidemark.changes.internal.delivery;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes in flight over all partitions of a reader. */
public final class Budget {
  private final long limit;
  private final AtomicLong used = new AtomicLong();

  /** A budget of {@code limit} bytes. */
  public Budget(long limit) {
    this.limit = limit;
  }

  void add(long bytes) {
    used.addAndGet(bytes);
  }

  void remove(long bytes) {
    used.addAndGet(-bytes);
  }

  /** Whether nothing more should be read now. */
  public boolean isSpent() {
    return used.get() >= limit;
  }

  /** How many bytes more may be read; less than none where more were read already. */
  public long left() {
    return limit - used.get();
  }

  /** Bytes in flight. */
  public long used() {
    return used.get();
  }
}
