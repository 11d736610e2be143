package dev.tidemark.changes.internal.delivery;

import dev.tidemark.changes.Position;
import dev.tidemark.changes.ResumePoint;
import dev.tidemark.changes.internal.watermark.Frontier;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What was read of a partition and is not acknowledged yet, in read order.
 *
 * <p>Acknowledgements come in any order and from any thread. Whenever the oldest entry is
 * acknowledged, the longest acknowledged prefix leaves the deque, and the resume point becomes the
 * position of its last entry. Heartbeats and child records are entries too, so they never move the
 * resume point past an unacknowledged change.
 */
public final class AckDeque {
  private final Comparator<Position> order;
  private final Budget budget;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by lock.
  private final ArrayDeque<Entry> entries = new ArrayDeque<>();
  private final Prefix prefix;

  /** Written under the lock, and read without it before each record. */
  private final AtomicInteger data = new AtomicInteger();

  /** Written under the lock. */
  private volatile int size;

  private int delivered;
  private int released;
  private long acks;
  private boolean closed;

  /** The end of the acknowledged prefix. */
  private final class Prefix {
    private Position position;
    private boolean inclusive;
    private final Set<String> boundary;

    /** The only entry at the position that {@code boundary} does not have: most are alone. */
    private @Nullable Entry alone;

    Prefix(ResumePoint start) {
      this.position = start.position();
      this.boundary = new LinkedHashSet<>(start.boundary());
    }

    private Prefix(Prefix other) {
      this.position = other.position;
      this.inclusive = other.inclusive;
      this.boundary = new LinkedHashSet<>(other.boundary);
      this.alone = other.alone;
    }

    void take(Entry entry) {
      int compared = order.compare(entry.position, position);
      if (compared > 0) {
        position = entry.position;
        inclusive = false;
        alone = null;
        if (!boundary.isEmpty()) {
          boundary.clear();
        }
      }
      if (compared >= 0) {
        inclusive |= entry.kind == Entry.Kind.HEARTBEAT;
        if (entry.kind == Entry.Kind.DATA) {
          settle();
          alone = entry;
        }
      }
    }

    /** Names the entry that was alone. */
    private void settle() {
      if (alone != null && boundary.size() < ResumePoint.BOUNDARY_MAX) {
        boundary.add(alone.id());
      }
      alone = null;
    }

    ResumePoint resume() {
      settle();
      return new ResumePoint(position, boundary);
    }
  }

  /** An empty deque of a partition that goes on from {@code start}. */
  public AckDeque(ResumePoint start, Comparator<Position> order, Budget budget) {
    this.order = order;
    this.budget = budget;
    this.prefix = new Prefix(start);
  }

  /** Appends a heartbeat or a child record that was read. */
  public Entry append(Entry.Kind kind, Position position) {
    return append(new Entry(kind, position));
  }

  /** Appends something that was read alone. */
  Entry append(Entry entry) {
    append(List.of(entry));
    return entry;
  }

  /** Appends what was read together. */
  public void append(List<Entry> read) {
    int changes = 0;
    long bytes = 0;
    for (Entry entry : read) {
      changes += entry.kind == Entry.Kind.DATA ? 1 : 0;
      bytes += entry.bytes;
    }
    lock.lock();
    try {
      // After the close nobody would give the bytes back.
      if (!closed) {
        entries.addAll(read);
        size = entries.size();
        data.addAndGet(changes);
        budget.add(bytes);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Appends a heartbeat, which is acknowledged at once. It takes the place of one right before it,
   * so that a change that is never acknowledged does not gather them.
   */
  public void appendHeartbeat(Position position) {
    lock.lock();
    try {
      Entry before = entries.peekLast();
      if (before != null && before.kind == Entry.Kind.HEARTBEAT) {
        entries.removeLast();
      }
      ack(List.of(append(Entry.Kind.HEARTBEAT, position)));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Notes that {@code entry} is handed to the program; false if it was acknowledged or the deque is
   * closed.
   */
  public boolean deliver(Entry entry, long nanos) {
    lock.lock();
    try {
      return begin(entry, nanos);
    } finally {
      lock.unlock();
    }
  }

  /** The same for many, which the reading thread has to wait for only once. */
  List<PendingDelivery> deliver(List<PendingDelivery> deliveries, long nanos) {
    List<PendingDelivery> useful = new ArrayList<>(deliveries.size());
    lock.lock();
    try {
      for (PendingDelivery each : deliveries) {
        if (begin(each.entry(), nanos)) {
          useful.add(each);
        }
      }
      return useful;
    } finally {
      lock.unlock();
    }
  }

  /** Takes back that {@code entry} was handed to the program, which did not get it. */
  void withdraw(Entry entry) {
    lock.lock();
    try {
      if (!closed && entry.delivered && !entry.acked) {
        entry.delivered = false;
        entry.attempts--;
        delivered--;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Notes that nothing but the program keeps {@code entry} from its acknowledgement. */
  void release(Entry entry) {
    lock.lock();
    try {
      if (!entry.released && !entry.acked) {
        entry.released = true;
        released++;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether the program has something to acknowledge that waits for nothing else. */
  public boolean hasReleased() {
    lock.lock();
    try {
      return released > 0;
    } finally {
      lock.unlock();
    }
  }

  private boolean begin(Entry entry, long nanos) {
    if (closed || entry.acked) {
      return false;
    }
    delivered += entry.delivered ? 0 : 1;
    entry.attempts++;
    entry.delivered = true;
    entry.reported = false;
    entry.deliveredNanos = nanos;
    return true;
  }

  /** How often {@code entry} was handed to the program. */
  int attempts(Entry entry) {
    lock.lock();
    try {
      return entry.attempts;
    } finally {
      lock.unlock();
    }
  }

  /** Acknowledges entries. What is acknowledged already, or after the close, has no effect. */
  public void ack(List<Entry> acked) {
    lock.lock();
    try {
      if (!closed) {
        mark(acked);
        popPrefix();
        acks++;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * The fields that all partitions and the reading thread look at are written once for all entries.
   */
  private void mark(List<Entry> acked) {
    int changes = 0;
    long bytes = 0;
    for (Entry entry : acked) {
      if (!entry.acked) {
        entry.acked = true;
        changes += entry.kind == Entry.Kind.DATA ? 1 : 0;
        delivered -= entry.delivered ? 1 : 0;
        released -= entry.released ? 1 : 0;
        bytes += entry.bytes;
      }
    }
    if (changes > 0) {
      data.addAndGet(-changes);
      budget.remove(bytes);
    }
  }

  /** Of what leaves, only the last position counts, and what else is there. */
  private void popPrefix() {
    List<Entry> last = new ArrayList<>(1);
    while (!entries.isEmpty() && entries.peekFirst().acked) {
      Entry next = entries.removeFirst();
      if (next.later) {
        last.clear();
      }
      last.add(next);
    }
    last.forEach(prefix::take);
    size = entries.size();
  }

  /** Where reading goes on after what is acknowledged by now. */
  public ResumePoint resume() {
    lock.lock();
    try {
      return prefix.resume();
    } finally {
      lock.unlock();
    }
  }

  /** Where reading would go on if everything up to {@code last} was acknowledged. */
  public ResumePoint resumeAfter(Entry last) {
    lock.lock();
    try {
      Prefix after = new Prefix(prefix);
      for (Entry entry : entries) {
        after.take(entry);
        if (entry.equals(last)) {
          break;
        }
      }
      return after.resume();
    } finally {
      lock.unlock();
    }
  }

  /** Up to where everything is acknowledged. */
  public Frontier acked() {
    lock.lock();
    try {
      return new Frontier(prefix.position, prefix.inclusive);
    } finally {
      lock.unlock();
    }
  }

  /** Whether {@code entry} still waits for its acknowledgement. */
  public boolean isOpen(Entry entry) {
    lock.lock();
    try {
      return !closed && !entry.acked;
    } finally {
      lock.unlock();
    }
  }

  /** Whether everything that was read is acknowledged. */
  public boolean isEmpty() {
    lock.lock();
    try {
      return entries.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** How many changes are not acknowledged. */
  public int inFlight() {
    return data.get();
  }

  /** How many items there are, acknowledged ones behind an unacknowledged one among them. */
  public int size() {
    return size;
  }

  /** How many changes were handed to the program and are not acknowledged. */
  public int delivered() {
    lock.lock();
    try {
      return delivered;
    } finally {
      lock.unlock();
    }
  }

  /** Entries handed out before {@code nanos} and not acknowledged; each is returned once. */
  public List<Entry> overdue(long nanos) {
    lock.lock();
    try {
      List<Entry> late = new ArrayList<>();
      for (Entry entry : entries) {
        if (entry.delivered
            && !entry.acked
            && !entry.reported
            && entry.deliveredNanos - nanos < 0) {
          entry.reported = true;
          late.add(entry);
        }
      }
      return late;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until something is acknowledged or the deque is closed, {@code time} at most. */
  public void await(Duration time) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long before = acks;
      long left = time.toNanos();
      while (!closed && !entries.isEmpty() && acks == before && left > 0) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Gives everything up: later acknowledgements have no effect. */
  public void close() {
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        entries.stream().filter(entry -> !entry.acked).forEach(e -> budget.remove(e.bytes));
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }
}
