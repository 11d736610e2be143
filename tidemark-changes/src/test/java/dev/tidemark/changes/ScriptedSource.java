package dev.tidemark.changes;

import dev.tidemark.changes.ChangeRecord.Child;
import dev.tidemark.changes.ChangeRecord.ChildPartitions;
import dev.tidemark.changes.ChangeRecord.Heartbeat;
import dev.tidemark.kv.InterruptedOperationException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A change stream in memory that tests write by hand or by chance.
 *
 * <p>Positions are numbers; each commit, split and merge takes the next one. All records of a
 * transaction share its position, as in Spanner. The source is strict: it refuses positions outside
 * of a partition, and data never appears after a heartbeat that covers it.
 */
public final class ScriptedSource implements ChangeSource {
  /** Decides what goes wrong. */
  public interface Faults {
    /** Called for each open and each read; throws to fail, returns true to break the query off. */
    boolean at(String token);
  }

  private static final int BYTES = 100;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by lock.
  private final Map<String, Log> logs = new TreeMap<>();
  private final Map<Integer, Long> versions = new TreeMap<>();
  private final List<DataChange> all = new ArrayList<>();
  private final List<Query> queries = new ArrayList<>();
  private long clock = 1;
  private long earliest;
  private int tokens;
  private int open;
  private Faults faults = token -> false;
  private boolean heartbeats = true;
  private boolean rootLies;
  private boolean bySystem;
  private boolean together;
  private @Nullable Kept kept;
  private volatile CountDownLatch keepGate = new CountDownLatch(0);

  /** What a reader last asked to keep. */
  public record Kept(String reader, Position position, Duration time) {}

  private static final class Log {
    final String token;
    final long start;
    final Set<Integer> keys;
    final List<DataChange> records = new ArrayList<>();
    final List<Child> children = new ArrayList<>();
    long end = Long.MAX_VALUE;

    Log(String token, long start, Set<Integer> keys) {
      this.token = token;
      this.start = start;
      this.keys = new TreeSet<>(keys);
    }

    boolean isAlive() {
      return end == Long.MAX_VALUE;
    }
  }

  /** A stream whose {@code keys} keys are spread over {@code partitions} partitions. */
  public ScriptedSource(int partitions, int keys) {
    for (int i = 0; i < partitions; i++) {
      Set<Integer> own = new TreeSet<>();
      for (int key = i; key < keys; key += partitions) {
        own.add(key);
      }
      create(own);
    }
  }

  private Log create(Set<Integer> keys) {
    Log log = new Log("p" + tokens++, clock, keys);
    logs.put(log.token, log);
    return log;
  }

  public static Position position(long number) {
    return Position.of(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
  }

  public static long number(Position position) {
    return ByteBuffer.wrap(position.toByteArray()).getLong();
  }

  /** Commits a transaction that changes {@code keys}. */
  public void commit(Integer... keys) {
    commit(Arrays.asList(keys));
  }

  /** Commits a transaction that changes {@code keys}. */
  public void commit(List<Integer> keys) {
    lock.lock();
    try {
      clock++;
      long partitions = keys.stream().map(key -> holder(key).token).distinct().count();
      int sequence = 0;
      for (int key : keys) {
        long version = versions.merge(key, 1L, Long::sum);
        DataChange change = change(key, version, sequence++, keys.size(), partitions);
        holder(key).records.add(change);
        all.add(change);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private DataChange change(int key, long version, int sequence, int records, long partitions) {
    return new DataChange(
        position(clock),
        Instant.ofEpochSecond(clock),
        String.format("%08d", sequence),
        "tx" + clock,
        false,
        "Item",
        List.of(),
        List.of(
            new Mod(
                Values.of(Map.of("id", key)),
                Values.of(Map.of("version", version)),
                Values.none())),
        version == 1 ? DataChange.ModType.INSERT : DataChange.ModType.UPDATE,
        DataChange.CaptureType.NEW_VALUES,
        records,
        partitions,
        "",
        bySystem);
  }

  /** Whether the source's store makes the following commits by itself. */
  public void setBySystem(boolean on) {
    bySystem = on;
  }

  /** Whether cursors tell what is ready, so that it is read together. */
  public void setTogether(boolean on) {
    locked(() -> together = on);
  }

  /** Lets the stream's clock pass without a change. */
  public void tick() {
    lock.lock();
    try {
      clock++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Splits a partition into two, each with half of the keys. */
  public List<String> split(String token) {
    lock.lock();
    try {
      clock++;
      Log parent = alive(token);
      List<Integer> keys = List.copyOf(parent.keys);
      Log left = create(new TreeSet<>(keys.subList(0, keys.size() / 2)));
      Log right = create(new TreeSet<>(keys.subList(keys.size() / 2, keys.size())));
      end(parent, List.of(child(left, token), child(right, token)));
      return List.of(left.token, right.token);
    } finally {
      lock.unlock();
    }
  }

  /** Merges two partitions. */
  public String merge(String first, String second) {
    lock.lock();
    try {
      clock++;
      Set<Integer> keys = new TreeSet<>(alive(first).keys);
      keys.addAll(alive(second).keys);
      Log child = create(keys);
      end(alive(first), List.of(child(child, first, second)));
      end(alive(second), List.of(child(child, first, second)));
      return child.token;
    } finally {
      lock.unlock();
    }
  }

  /** Replaces a partition by another one with the same keys. */
  public String move(String token) {
    lock.lock();
    try {
      clock++;
      Log child = create(alive(token).keys);
      end(alive(token), List.of(child(child, token)));
      return child.token;
    } finally {
      lock.unlock();
    }
  }

  private static Child child(Log log, String... parents) {
    return new Child(log.token, List.of(parents));
  }

  private void end(Log parent, List<Child> children) {
    parent.end = clock;
    parent.children.addAll(children);
    changed.signalAll();
  }

  private Log alive(String token) {
    Log log = logs.get(token);
    if (log == null || !log.isAlive()) {
      throw new IllegalArgumentException(token + " is not alive");
    }
    return log;
  }

  private Log holder(int key) {
    return logs.values().stream()
        .filter(log -> log.isAlive() && log.keys.contains(key))
        .findFirst()
        .orElseThrow();
  }

  /** The partitions that have not ended. */
  public List<String> alive() {
    return locked(() -> logs.values().stream().filter(Log::isAlive).map(log -> log.token).toList());
  }

  /** Everything committed so far. */
  public List<DataChange> committed() {
    return locked(() -> List.copyOf(all));
  }

  /** Every query so far. */
  public List<Query> queries() {
    return locked(() -> List.copyOf(queries));
  }

  /** Queries that were not closed yet. */
  public int open() {
    return locked(() -> open);
  }

  public void setFaults(Faults faults) {
    locked(() -> this.faults = faults);
  }

  /** Whether idle partitions give signs of life. */
  public void setHeartbeats(boolean on) {
    locked(() -> heartbeats = on);
  }

  /** Has the query of the root return a change, which no source may. */
  public void setRootLies() {
    locked(() -> rootLies = true);
  }

  /** What a reader last asked to keep. */
  public Optional<Kept> kept() {
    return locked(() -> Optional.ofNullable(kept));
  }

  /** Has calls of {@link #keep} wait for {@code gate}. */
  public void setKeepGate(CountDownLatch gate) {
    keepGate = gate;
  }

  @Override
  public void keep(String reader, Position position, Duration time) {
    try {
      keepGate.await();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("The reader was closed", interrupt);
    }
    locked(() -> kept = new Kept(reader, position, time));
  }

  /** Forgets everything before {@code position}. */
  public void expire(long position) {
    locked(() -> earliest = position);
  }

  private <T> T locked(java.util.function.Supplier<T> body) {
    lock.lock();
    try {
      return body.get();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String id() {
    return "scripted";
  }

  @Override
  public Position earliest() {
    return locked(() -> position(Math.max(1, earliest)));
  }

  @Override
  public Position now() {
    return locked(() -> position(clock));
  }

  @Override
  public Position at(Instant time) {
    return position(time.getEpochSecond());
  }

  @Override
  public Position until(Instant time) {
    return position(time.getEpochSecond());
  }

  @Override
  public Instant timeOf(Position position) {
    return Instant.ofEpochSecond(number(position));
  }

  @Override
  public int compare(Position first, Position second) {
    return Long.compare(number(first), number(second));
  }

  @Override
  public Cursor open(Query query) {
    lock.lock();
    try {
      queries.add(query);
      faults.at(query.token());
      long from = number(query.from());
      if (from < earliest) {
        throw ChangeSourceException.tooOld(
            position(earliest), "Position " + from + " is too far in the past");
      }
      if (query.token().equals(ROOT)) {
        open++;
        return new RootCursor(from);
      }
      Log log = logs.get(query.token());
      if (log == null) {
        throw new ChangeSourceException(
            ChangeSourceException.Kind.INVALID_ARGUMENT, "No partition " + query.token(), null);
      }
      if (from < log.start || from > log.end) {
        throw new ChangeSourceException(
            ChangeSourceException.Kind.INVALID_POSITION,
            "Position %d is invalid for %s [%d, %d]".formatted(from, log.token, log.start, log.end),
            null);
      }
      open++;
      return new LogCursor(log, from, query.until().map(ScriptedSource::number));
    } finally {
      lock.unlock();
    }
  }

  private abstract class ScriptedCursor implements Cursor {
    // Guarded by lock.
    private boolean closed;

    abstract @Nullable Next poll();

    /** Whether the next thing is a change. */
    boolean hasChange() {
      return false;
    }

    @Override
    public boolean isReady() {
      return locked(() -> together && !closed && hasChange());
    }

    @Override
    public Next next(Duration wait) throws InterruptedException {
      lock.lockInterruptibly();
      try {
        long left = wait.toNanos();
        while (true) {
          if (closed) {
            throw new ChangeSourceException(
                ChangeSourceException.Kind.ABORTED, "The cursor is closed", null);
          }
          Next next = poll();
          if (next != null) {
            return next;
          }
          if (left <= 0) {
            return new Next.Idle();
          }
          left = changed.awaitNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(50)));
          left = wait.isZero() ? 0 : left;
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      lock.lock();
      try {
        if (!closed) {
          closed = true;
          open--;
          changed.signalAll();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  private final class RootCursor extends ScriptedCursor {
    private final List<Child> left;
    private final long from;

    RootCursor(long from) {
      this.from = from;
      this.left =
          new ArrayList<>(
              logs.values().stream()
                  .filter(log -> log.start <= from && log.end > from)
                  .map(log -> child(log))
                  .toList());
    }

    @Override
    Next poll() {
      if (faults.at(ROOT)) {
        return new Next.Ended(End.BROKEN_OFF);
      }
      if (rootLies) {
        return new Next.Item(all.getFirst(), BYTES);
      }
      if (left.isEmpty()) {
        return new Next.Ended(End.PARTITION_OVER);
      }
      return new Next.Item(children(from, List.of(left.removeFirst()), left.size()), BYTES);
    }
  }

  private static ChildPartitions children(long at, List<Child> children, int sequence) {
    return new ChildPartitions(
        position(at), Instant.ofEpochSecond(at), Integer.toString(sequence), children);
  }

  private final class LogCursor extends ScriptedCursor {
    private final Log log;
    private final long from;
    private final long until;
    private int index;
    private long beat;
    private boolean over;

    LogCursor(Log log, long from, Optional<Long> until) {
      this.log = log;
      this.from = from;
      this.until = until.orElse(Long.MAX_VALUE);
      while (index < log.records.size() && number(log.records.get(index).position()) < from) {
        index++;
      }
    }

    @Override
    boolean hasChange() {
      return index < log.records.size() && number(log.records.get(index).position()) <= until;
    }

    @Override
    @Nullable Next poll() {
      if (faults.at(log.token)) {
        return new Next.Ended(End.BROKEN_OFF);
      }
      if (hasChange()) {
        return new Next.Item(log.records.get(index++), BYTES);
      }
      if (over) {
        return new Next.Ended(End.PARTITION_OVER);
      }
      if (log.end <= until && !log.isAlive()) {
        over = true;
        return new Next.Item(children(log.end, log.children, 0), BYTES);
      }
      if (clock >= until) {
        return new Next.Ended(End.REACHED_UNTIL);
      }
      long seen = Math.min(clock, log.end);
      if (heartbeats && seen > beat && seen >= from) {
        beat = seen;
        return new Next.Item(new Heartbeat(position(seen), Instant.ofEpochSecond(seen)), BYTES);
      }
      return null;
    }
  }

  /** Orders changes as they were committed. */
  public static Comparator<DataChange> commitOrder() {
    return Comparator.comparingLong((DataChange change) -> number(change.position()))
        .thenComparing(DataChange::recordSequence);
  }
}
