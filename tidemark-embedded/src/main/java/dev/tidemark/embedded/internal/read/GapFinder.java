package dev.tidemark.embedded.internal.read;

import dev.tidemark.embedded.internal.cache.Gaps;
import dev.tidemark.embedded.internal.common.Threads;
import dev.tidemark.kv.DatabaseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks for gaps where single keys are cleared one after the other, on a thread of its own, so that
 * readers do not have to walk there. It takes some keys at a time, and walks from the first of them
 * to a row or to a known gap. Keys beyond its capacity are left to the readers.
 */
public final class GapFinder implements AutoCloseable {
  /** The number of keys that are taken together. */
  static final int TOGETHER = 32;

  /** Keys cleared side by side that make a gap of their own. */
  private static final int SIDE_BY_SIDE = 8;

  /** The longest way that is walked from one of them. */
  private static final int DELETED_KEYS_MAX = 100_000;

  /**
   * Where nothing is cleared side by side, as in an index, so many rounds at most go by without a
   * walk. Readers find the gaps meanwhile.
   */
  private static final int PASSED_OVER_MAX = 64;

  private static final int WAITING_MAX = 1_024;
  private static final int WANTED_MAX = 64;
  private static final int TRIES = 10_000;
  private static final long LAST_ONES_NANOS = 5_000_000;

  private final Gaps gaps;
  private final Supplier<PinnedVersion> latest;
  private final ArrayBlockingQueue<List<byte[]>> waiting = new ArrayBlockingQueue<>(WAITING_MAX);

  /** Where readers met gaps that they could not note. */
  private final ArrayBlockingQueue<byte[]> wanted = new ArrayBlockingQueue<>(WANTED_MAX);

  private volatile boolean closed;
  private volatile boolean idle;

  // Used by the thread: how many rounds go by without a walk, and how many of them are left.
  private int passedOver;
  private int toPassOver;

  private final Object lock = new Object();

  /** Keys cleared since the last ones were enqueued. Guarded by lock. */
  private List<byte[]> keys = new ArrayList<>(TOGETHER);

  /** Written under lock. */
  private volatile @Nullable Thread thread;

  /** A finder for {@code gaps} that reads what {@code latest} holds for it. */
  public GapFinder(Gaps gaps, Supplier<PinnedVersion> latest) {
    this.gaps = gaps;
    this.latest = latest;
  }

  /** Notes that {@code key} has been cleared. */
  public void cleared(byte[] key) {
    boolean full;
    synchronized (lock) {
      keys.add(key);
      full = keys.size() == TOGETHER;
      if (full) {
        waiting.offer(keys); // If there is no room, readers find the gap.
        keys = new ArrayList<>(TOGETHER);
      }
    }
    if (full) {
      wake();
    }
  }

  /** Notes that a reader met a gap that begins with {@code key}. */
  public void wanted(byte[] key) {
    if (wanted.offer(key)) {
      wake();
    }
  }

  private void wake() {
    Thread running = thread;
    if (running == null) {
      start();
    } else if (idle) {
      LockSupport.unpark(running);
    }
  }

  private void start() {
    synchronized (lock) {
      if (thread == null && !closed) {
        try {
          thread = Thread.ofPlatform().name("tidemark-gaps").daemon().start(this::work);
        } catch (OutOfMemoryError none) {
          waiting.clear(); // No thread can be started. Readers find the gaps.
        }
      }
    }
  }

  private void work() {
    boolean lastOnes = false;
    while (!closed) {
      byte[] key = wanted.poll();
      if (key != null) {
        look(List.of(key), 1);
      } else if (!waiting.isEmpty()) {
        lookAtAll();
        lastOnes = true;
      } else if (lastOnes) {
        LockSupport.parkNanos(this, LAST_ONES_NANOS);
        if (waiting.isEmpty()) {
          look(rest(), SIDE_BY_SIDE);
          lastOnes = false;
        }
      } else {
        idle = true;
        if (waiting.isEmpty() && wanted.isEmpty() && !closed) {
          LockSupport.park(this);
        }
        idle = false;
      }
      Thread.interrupted(); // No caller needs the flag, and it would keep this thread from parking.
    }
  }

  /** Takes all waiting keys together: keys side by side cost one walk. */
  private void lookAtAll() {
    List<byte[]> all = new ArrayList<>();
    for (List<byte[]> next = waiting.poll(); next != null; next = waiting.poll()) {
      all.addAll(next);
    }
    if (toPassOver > 0) {
      toPassOver--;
      return;
    }
    all.sort(Arrays::compareUnsigned);
    passedOver = look(all, SIDE_BY_SIDE) ? 0 : Math.clamp(2L * passedOver, 1, PASSED_OVER_MAX);
    toPassOver = passedOver;
  }

  private List<byte[]> rest() {
    synchronized (lock) {
      List<byte[]> rest = keys;
      rest.sort(Arrays::compareUnsigned);
      keys = new ArrayList<>(TOGETHER);
      return rest;
    }
  }

  /** Returns whether there was a gap. */
  private boolean look(List<byte[]> cleared, int sideBySide) {
    boolean found = false;
    int next = 0;
    int alone = 0;
    int aloneMax = 2 + cleared.size() / TOGETHER;
    try {
      while (next < cleared.size() && alone < aloneMax && !closed) {
        int count = lookFrom(cleared.subList(next, cleared.size()), sideBySide);
        found |= count >= sideBySide;
        alone += count < sideBySide ? 1 : 0;
        next += Math.max(count, 1);
      }
    } catch (DatabaseException unreadable) {
      // The database is closing, or a reader will get this failure itself.
    }
    return found;
  }

  /** Walks from the first key to a row, and returns how many of the keys are before it. */
  private int lookFrom(List<byte[]> cleared, int sideBySide) {
    byte[] begin = cleared.getFirst();
    byte[] end = gaps.nextBegin(begin);
    try (Gaps.Search search = gaps.search(begin, end, false)) {
      PinnedVersion version = search == null ? null : versionFor(search);
      if (search == null || version == null) {
        return 0;
      }
      try {
        byte[] row = version.nextRow(begin, end, DELETED_KEYS_MAX);
        if (row == null) {
          return 0;
        }
        int count = 0;
        while (count < cleared.size() && Arrays.compareUnsigned(cleared.get(count), row) < 0) {
          count++;
        }
        search.found(begin, row, version.version(), count < sideBySide);
        return count;
      } finally {
        version.drop();
      }
    }
  }

  /** The latest version. Reported changes are published a moment later. */
  private @Nullable PinnedVersion versionFor(Gaps.Search search) {
    for (int i = 0; i < TRIES; i++) {
      PinnedVersion version = latest.get();
      if (search.isFor(version.version())) {
        return version;
      }
      version.drop();
      Thread.onSpinWait();
    }
    return null;
  }

  /** Ends the thread. */
  @Override
  public void close() {
    closed = true;
    Thread running = thread;
    if (running != null) {
      LockSupport.unpark(running);
      Threads.awaitEnd(running);
    }
  }
}
