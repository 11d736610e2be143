package dev.tidemark.loader.internal.engine;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.loader.LoadResult.Ending;
import dev.tidemark.loader.LoaderOptions;
import dev.tidemark.loader.MessageInfo;
import dev.tidemark.loader.MessageInfo.State;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Every delivery of a run and its state, in one place. A state changes under the lock and only
 * forward, and the thread that moves a delivery to {@code ACKED} or {@code NACKED} tells the
 * source: so each is acknowledged or given back once, whatever threads race for it.
 *
 * <p>Threads wait here for each other. A test may move the clock by hand, so no wait is longer than
 * {@link #LOOK_AGAIN} before the clock is read again.
 */
final class Ledger {
  private static final long LOOK_AGAIN = TimeUnit.MILLISECONDS.toNanos(20);

  /** A pull that takes this many times as long as earlier ones has no messages now. */
  private static final int QUIET_PULLS = 4;

  private static final long QUIET_MIN = TimeUnit.MILLISECONDS.toNanos(50);

  /** The mean of the times of pulls follows each by this part. */
  private static final int MEAN_PARTS = 4;

  /** Before the size of messages is known, a pull asks for no more than this. */
  private static final int FIRST_PULL = 256;

  private final LoaderOptions options;
  private final TimeSource time;
  private final boolean untilEmpty;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by lock.
  private final ArrayDeque<Delivery> buffer = new ArrayDeque<>();
  private final Map<UUID, Delivery> live = new LinkedHashMap<>();
  private long bufferBytes;
  private long meanBytes;
  private long meanPull;
  private boolean pulling;
  private long pullBegan;
  private boolean flush;
  private boolean pullingEnded;
  private boolean suspended;
  private boolean rewind;
  private boolean released;
  private boolean merging;
  private @Nullable Gathered ahead;
  private @Nullable Ending ending;
  private @Nullable InFlight inFlight;

  /** A job that is being merged. */
  record InFlight(UUID job, List<Delivery> deliveries) {}

  Ledger(LoaderOptions options, RunMode mode) {
    this.options = options;
    this.untilEmpty = mode == RunMode.UNTIL_EMPTY;
    this.time = options.time();
  }

  // ---- The puller -------------------------------------------------------------------------------

  /**
   * Waits until a pull makes sense and returns how many messages to ask for; 0 when pulling is to
   * end.
   */
  int awaitRoom(RunClock clock) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        if (ending != null || released || clock.pullWait(options.pullWait()).isZero()) {
          return 0;
        }
        if (!suspended && !isFull()) {
          return room();
        }
        look();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The rest of a batch, or a quarter of one where less is left: tiny pulls cost as much. */
  private int room() {
    int messages = options.batchMessages();
    int byCount = Math.max(messages - buffer.size(), messages / 4);
    if (meanBytes == 0) {
      return Math.min(byCount, FIRST_PULL);
    }
    long bytes = Math.max(options.batchBytes() - bufferBytes, options.batchBytes() / 4);
    return (int) Math.max(1, Math.min(byCount, bytes / meanBytes));
  }

  /** Whether a source in order has to begin again; asked once. */
  boolean takeRewind() {
    lock.lock();
    try {
      boolean wanted = rewind;
      rewind = false;
      return wanted;
    } finally {
      lock.unlock();
    }
  }

  void pullBegins(long now) {
    lock.lock();
    try {
      pulling = true;
      pullBegan = now;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes in deliveries, which wait for no batch yet; false if the run takes no more, and they have
   * to be given back.
   *
   * @param took how long their pull took
   */
  boolean arrived(List<Delivery> deliveries, long took) {
    lock.lock();
    try {
      pulling = false;
      flush = false;
      meanPull += (took - meanPull) / (meanPull == 0 ? 1 : MEAN_PARTS);
      boolean wanted = isWanted();
      for (Delivery delivery : wanted ? deliveries : List.<Delivery>of()) {
        live.put(delivery.id(), delivery);
      }
      return wanted;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Has deliveries that have arrived wait for their batch; false if the run takes no more, and
   * those that are still open have to be given back.
   */
  boolean queue(List<Delivery> deliveries, long bytes) {
    lock.lock();
    try {
      boolean wanted = isWanted();
      if (wanted) {
        buffer.addAll(deliveries);
        bufferBytes += bytes;
      }
      meanBytes = Math.max(1, bytes / deliveries.size());
      changed.signalAll();
      return wanted;
    } finally {
      lock.unlock();
    }
  }

  private boolean isWanted() {
    return !suspended && !released && !rewind;
  }

  /** Says that the source has nothing now: what is buffered need not wait for more. */
  void nothingCame() {
    lock.lock();
    try {
      pulling = false;
      flush = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether no delivery is open. */
  boolean isIdle() {
    lock.lock();
    try {
      return live.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  void pullingEnded() {
    lock.lock();
    try {
      pullingEnded = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  // ---- The merger -------------------------------------------------------------------------------

  /**
   * Waits for the next batch and takes it; empty when none is to be started any more.
   *
   * @param last how long the last merge took
   */
  Optional<Gathered> takeBatch(RunClock clock, Duration last) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      merging = false;
      while (true) {
        if (ending != null || released || !clock.mayStart(last)) {
          return Optional.empty();
        }
        if (!buffer.isEmpty() && isReady()) {
          return Optional.of(take());
        }
        if (pullingEnded && buffer.isEmpty()) {
          return Optional.empty();
        }
        look();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until a whole batch lies behind the one that is merged, and returns it: there is time to
   * work on it. It stays in the buffer, as if nobody had looked at it, until the merger takes it.
   * Empty when the run ends.
   */
  Optional<Gathered> awaitNext() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (ending == null && !released) {
        if (merging && ahead == null && isFull()) {
          ahead = new Gathered(front());
          return Optional.of(ahead);
        }
        look();
      }
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private boolean isReady() {
    return flush
        || pullingEnded
        || isFull()
        || isSuspect(buffer.getFirst())
        || isQuiet()
        || time.nanos() - buffer.getFirst().arrivedAt() >= options.batchAge().toNanos();
  }

  /**
   * Whether a run that ends with its source has waited long enough for more messages. A caller that
   * drains a source need not wait for the time-out of the last pull.
   */
  private boolean isQuiet() {
    return untilEmpty
        && pulling
        && time.nanos() - pullBegan >= Math.max(QUIET_MIN, QUIET_PULLS * meanPull);
  }

  private Gathered take() {
    List<Delivery> batch = front();
    for (Delivery delivery : batch) {
      buffer.removeFirst();
      bufferBytes -= delivery.bytes();
      delivery.become(State.IN_FLIGHT);
    }
    Gathered looked = ahead;
    ahead = null;
    merging = true;
    changed.signalAll();
    return looked != null && looked.deliveries().equals(batch) ? looked : new Gathered(batch);
  }

  /** The deliveries at the front of the buffer that make a batch. */
  private List<Delivery> front() {
    List<Delivery> batch = new ArrayList<>(Math.min(buffer.size(), options.batchMessages()));
    long bytes = 0;
    for (Delivery next : buffer) {
      boolean alone = isSuspect(next) || (!batch.isEmpty() && isSuspect(batch.getFirst()));
      if (batch.size() == options.batchMessages()
          || (!batch.isEmpty() && (alone || bytes + next.bytes() > options.batchBytes()))) {
        break;
      }
      bytes += next.bytes();
      batch.add(next);
    }
    return batch;
  }

  private boolean isFull() {
    return buffer.size() >= options.batchMessages() || bufferBytes >= options.batchBytes();
  }

  private boolean isSuspect(Delivery delivery) {
    return delivery.message().deliveries()
        > options.aloneAfterDeliveries().orElse(Integer.MAX_VALUE);
  }

  void merging(UUID job, List<Delivery> deliveries) {
    lock.lock();
    try {
      inFlight = new InFlight(job, deliveries);
    } finally {
      lock.unlock();
    }
  }

  void mergeEnded() {
    lock.lock();
    try {
      inFlight = null;
    } finally {
      lock.unlock();
    }
  }

  Optional<InFlight> inFlight() {
    lock.lock();
    try {
      return Optional.ofNullable(inFlight);
    } finally {
      lock.unlock();
    }
  }

  /** Stops pulling until {@link #resume}, and returns what is buffered, to be given back. */
  List<Delivery> suspend() {
    lock.lock();
    try {
      suspended = true;
      List<Delivery> dropped = List.copyOf(buffer);
      empty();
      return dropped;
    } finally {
      lock.unlock();
    }
  }

  void resume(boolean beginAgain) {
    lock.lock();
    try {
      suspended = false;
      rewind = beginAgain;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  // ---- States -----------------------------------------------------------------------------------

  /** Moves those of {@code deliveries} on that are in {@code from}, and returns them. */
  List<Delivery> claim(List<Delivery> deliveries, State from, State to) {
    lock.lock();
    try {
      List<Delivery> claimed = new ArrayList<>(deliveries.size());
      for (Delivery delivery : deliveries) {
        if (delivery.state() == from) {
          delivery.become(to);
          claimed.add(delivery);
        }
      }
      changed.signalAll();
      return claimed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Forgets {@code deliveries}: the source knows their outcome, and this loader has nothing left to
   * do.
   */
  void forget(List<Delivery> deliveries) {
    lock.lock();
    try {
      deliveries.forEach(delivery -> live.remove(delivery.id()));
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The open deliveries, oldest first. */
  List<Delivery> open() {
    lock.lock();
    try {
      return List.copyOf(live.values());
    } finally {
      lock.unlock();
    }
  }

  int openCount() {
    lock.lock();
    try {
      return live.size();
    } finally {
      lock.unlock();
    }
  }

  List<MessageInfo> infos() {
    lock.lock();
    try {
      return live.values().stream().map(Delivery::info).toList();
    } finally {
      lock.unlock();
    }
  }

  int buffered() {
    lock.lock();
    try {
      return buffer.size();
    } finally {
      lock.unlock();
    }
  }

  // ---- The end ----------------------------------------------------------------------------------

  /** Ends the run for {@code reason}, unless it ends for another already. */
  void end(Ending reason) {
    lock.lock();
    try {
      if (ending == null) {
        ending = reason;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  Optional<Ending> ending() {
    lock.lock();
    try {
      return Optional.ofNullable(ending);
    } finally {
      lock.unlock();
    }
  }

  /** Whether the run ends without a failure and before everything was done. */
  boolean isOutOfTime() {
    return ending()
        .filter(end -> end instanceof Ending.BudgetUsed || end instanceof Ending.Closed)
        .isPresent();
  }

  /** From now on nothing is taken in or started. */
  void release() {
    lock.lock();
    try {
      released = true;
      empty();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void empty() {
    buffer.clear();
    bufferBytes = 0;
    ahead = null;
  }

  /** Waits until something changes, and not long. */
  void awaitChange() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      look();
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("WaitNotInLoop") // every caller looks at its condition again
  private void look() throws InterruptedException {
    long unused = changed.awaitNanos(LOOK_AGAIN);
  }
}
