package dev.tidemark.changes.internal.engine;

import dev.tidemark.changes.ChangeReaderException;
import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.PartitionRow;
import dev.tidemark.changes.Position;
import dev.tidemark.changes.PositionKeeper;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.internal.delivery.Budget;
import dev.tidemark.changes.internal.delivery.Outlet;
import dev.tidemark.changes.internal.partition.FencedException;
import dev.tidemark.changes.internal.partition.Run;
import dev.tidemark.changes.internal.partition.TokenName;
import dev.tidemark.changes.internal.watermark.Frontier;
import dev.tidemark.changes.internal.watermark.Watermark;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of a run that this process reads: discovers and claims them, finishes them, stores
 * positions, and keeps the watermarks.
 *
 * <p>It has no thread. {@link #tick} and {@link #flush} are called by one thread at a time;
 * sessions may be stepped by others meanwhile.
 */
public final class Engine {
  /** Partitions that are claimed in one change. */
  private static final int CLAIMS_MAX = 100;

  /** How often the lease is renewed while it lasts. */
  private static final int RENEWALS = 10;

  private final Environment env;
  private final PositionWriter writer;
  private final Counters counters;
  private final Watermark readMark;
  private final Watermark ackMark;
  private final Map<String, PartitionSession> sessions = new ConcurrentHashMap<>();
  private final List<Gap> gaps = new CopyOnWriteArrayList<>();
  private final Unclaimed unclaimed;
  private volatile Run.Snapshot seen;
  private volatile boolean complete;

  /** When the lease was renewed; null for never. Used by the ticking thread. */
  private @Nullable Long renewedNanos;

  /**
   * An engine for an opened run.
   *
   * @param cut held while changes of one transaction are acknowledged
   * @param failures learns what ends the reader
   */
  public Engine(
      ChangeSource source,
      Run run,
      ReaderOptions options,
      Outlet outlet,
      PositionKeeper keeper,
      DoubleSupplier chance,
      Consumer<Throwable> failures,
      ReentrantLock cut) {
    this.counters = new Counters();
    this.readMark = new Watermark(source::compare);
    this.ackMark = new Watermark(source::compare);
    this.env =
        new Environment(
            source,
            run,
            options,
            outlet,
            new Budget(options.bytesInFlight()),
            new RateLimit(options.recordsPerSecond().orElse(0), options.time().nanos()),
            keeper,
            counters,
            chance,
            failures,
            this::isSlowest,
            this::gap);
    this.unclaimed = new Unclaimed(options);
    this.writer = new PositionWriter(run, cut, options.order().isGlobal(), counters);
    this.seen = run.snapshot();
  }

  private void gap(Gap gap) {
    gaps.add(gap);
    Log.gap(TokenName.of(gap.token()), gap.span(env.source()));
  }

  /**
   * Renews the lease, looks at the rows, drops sessions that are over, claims what can be claimed
   * and recomputes the watermarks.
   *
   * @return the new sessions, which somebody has to step
   */
  public List<PartitionSession> tick() {
    boolean mayClaim = renew();
    finishDone();
    Run.Snapshot now = env.run().snapshot();
    if (now.standing() == Run.Standing.DELETED) {
      throw new ChangeReaderException(
          "The run %s was deleted while it was read".formatted(env.run().name()), null);
    }
    if (!mayClaim || isShared(now)) {
      // An order over all partitions holds only where one process reads all of them.
      sessions.values().forEach(PartitionSession::close);
      env.outlet().reset();
    }
    seen = now;
    sessions.values().removeIf(session -> isOver(session, now));
    complete = now.isComplete();
    List<PartitionSession> begun = mayClaim && !complete ? claim(now) : List.of();
    updateWatermarks();
    sessions.values().forEach(PartitionSession::checkOverdue);
    return begun;
  }

  /**
   * The lease is renewed when a tenth of it has passed. The end of a partition triggers the next
   * look at the rows at once, which should not wait for a commit that nobody needs.
   */
  private boolean renew() {
    long now = env.options().time().nanos();
    Long renewed = renewedNanos;
    if (renewed == null || now - renewed >= env.options().lease().toNanos() / RENEWALS) {
      env.run().renew(env.options().lease());
      renewedNanos = now;
    }
    return !env.options().order().isGlobal() || env.run().renewAlone(env.options().lease());
  }

  /** Whether a partition of an order over all partitions was lost to another process. */
  private boolean isShared(Run.Snapshot now) {
    return env.options().order().isGlobal()
        && sessions.values().stream()
            .anyMatch(session -> !session.isFinished() && isLost(session, now));
  }

  private static boolean isLost(PartitionSession session, Run.Snapshot now) {
    PartitionRow row = now.partitions().get(session.claimed().token());
    return session.isClosed() || row == null || row.epoch() != session.claimed().epoch();
  }

  /** A session leaves only with a look at the rows that shows its children. */
  private static boolean isOver(PartitionSession session, Run.Snapshot now) {
    if (!session.isFinished() && isLost(session, now)) {
      session.close();
    }
    return session.isClosed();
  }

  private List<PartitionSession> claim(Run.Snapshot now) {
    List<PartitionSession> begun = new ArrayList<>();
    List<String> wanted = startable(now).stream().map(PartitionRow::token).toList();
    claim(wanted, share(now), begun);
    List<String> leftBehind = unclaimed.since(wanted, sessions.keySet(), now.aliveMembers());
    claim(leftBehind, env.options().partitions(), begun);
    return begun;
  }

  /** Claims those of {@code wanted} that can be claimed, up to {@code most} sessions in all. */
  private void claim(List<String> wanted, long most, List<PartitionSession> begun) {
    for (int from = 0; from < wanted.size() && sessions.size() < most; ) {
      long some = Math.min(CLAIMS_MAX, most - sessions.size());
      int to = (int) Math.min(wanted.size(), from + some);
      for (PartitionRow claimed : env.run().claim(wanted.subList(from, to))) {
        PartitionSession session = new PartitionSession(env, claimed);
        sessions.put(claimed.token(), session);
        begun.add(session);
      }
      from = to;
    }
  }

  /**
   * The earliest first, so that no partition that holds the watermark back waits for a free place.
   */
  private List<PartitionRow> startable(Run.Snapshot now) {
    return now.partitions().values().stream()
        .filter(row -> !sessions.containsKey(row.token()) && isStartable(row, now))
        .sorted(
            Comparator.comparing(
                    (PartitionRow row) -> row.resume().position(), env.source()::compare)
                .thenComparing(PartitionRow::token))
        .toList();
  }

  private boolean isStartable(PartitionRow row, Run.Snapshot now) {
    return env.source().reads(row.token()) && now.isStartable(row);
  }

  /** How many partitions this process may have: its part of what is to be read now. */
  private long share(Run.Snapshot now) {
    if (env.options().order().isGlobal()) {
      return Long.MAX_VALUE;
    }
    long readable =
        now.partitions().values().stream()
            .filter(row -> !row.isFinished() && (row.owner().isPresent() || isStartable(row, now)))
            .count();
    long members = Math.max(1, now.aliveMembers().size());
    return Math.min(env.options().partitions(), (readable + members - 1) / members);
  }

  /**
   * Sessions beyond this process's share, while other processes have less: they should be given
   * back. Not those that the same processes have left to this one.
   */
  public List<PartitionSession> surplus() {
    Run.Snapshot now = seen;
    long share = share(now);
    if (now.aliveMembers().size() < 2 || sessions.size() <= share) {
      return List.of();
    }
    Set<String> members = now.aliveMembers();
    List<PartitionSession> wanted =
        sessions.values().stream()
            .filter(session -> !unclaimed.isLeftTo(session.claimed().token(), members))
            .toList();
    return wanted.stream()
        .filter(session -> !session.isClosed() && !session.isReadOut())
        .limit(Math.max(0, wanted.size() - share))
        .toList();
  }

  /** Finishes partitions that were read out and acknowledged. */
  public void finishDone() {
    for (PartitionSession session : sessions.values()) {
      if (session.isDone() && !session.isClosed()) {
        writer.finish(session, sessions.values());
      }
    }
  }

  /** Stores the positions that have moved since the last time. */
  public void flush() {
    writer.flush(sessions.values());
  }

  /** Closes a session after its acknowledged position was stored, for another process to go on. */
  public void giveBack(PartitionSession session) {
    try {
      writer.flush(List.of(session));
      env.run().release(session.claimed());
    } catch (FencedException lost) {
      counters.fenced.increment();
    } finally {
      session.close();
      sessions.remove(session.claimed().token(), session);
    }
  }

  /** Recomputes the watermarks and hands out what waited for them. */
  public void updateWatermarks() {
    List<Frontier> read = frontiers(true);
    readMark.update(read, end());
    ackMark.update(frontiers(false), end());
    // Not the published mark, which never goes back: what is read again after the loss of a
    // partition has to be put in order again.
    read.stream().min(Frontier.by(env.source()::compare)).ifPresent(env.outlet()::release);
  }

  private Optional<Position> end() {
    return complete ? env.run().row().end() : Optional.empty();
  }

  /** Of all unfinished partitions: those read here as they are, others as their rows say. */
  private List<Frontier> frontiers(boolean read) {
    List<Frontier> frontiers = new ArrayList<>();
    for (PartitionRow row : seen.partitions().values()) {
      PartitionSession session = sessions.get(row.token());
      if (session != null) {
        frontiers.add(read ? session.readFrontier() : session.ackFrontier());
      } else if (!row.isFinished()) {
        frontiers.add(Frontier.before(row.resume().position()));
      }
    }
    return frontiers;
  }

  private boolean isSlowest(PartitionSession session) {
    Comparator<Frontier> order = Frontier.by(env.source()::compare);
    return frontiers(true).stream()
        .noneMatch(other -> order.compare(other, session.readFrontier()) < 0);
  }

  /** Asks the source to keep what has not been acknowledged. */
  public void keep(Duration time) {
    ackMark.get().ifPresent(mark -> env.source().keep(env.run().name(), mark.position(), time));
  }

  /** Removes rows of partitions that finished long ago. */
  public void sweep() {
    env.run().sweep(seen.now().minus(env.options().finishedRetention()));
  }

  /** Whether everything of the run has been acknowledged. */
  public boolean isComplete() {
    return complete;
  }

  /** The sessions of this process. */
  public Collection<PartitionSession> sessions() {
    return sessions.values();
  }

  /** The rows as they were seen last. */
  public Run.Snapshot seen() {
    return seen;
  }

  /** The run. */
  public Run run() {
    return env.run();
  }

  /** Up to where everything was read. */
  public Optional<Frontier> readWatermark() {
    return readMark.get();
  }

  /** Up to where everything was acknowledged. */
  public Optional<Frontier> ackWatermark() {
    return ackMark.get();
  }

  /** Changes that were lost to this reader. */
  public List<Gap> gaps() {
    return List.copyOf(gaps);
  }

  /** What was counted. */
  public Counters counters() {
    return counters;
  }

  /** Changes handed to the program and not acknowledged. */
  public int delivered() {
    return sessions.values().stream().mapToInt(session -> session.deque().delivered()).sum();
  }

  /** Changes read and not acknowledged. */
  public int inFlight() {
    return sessions.values().stream().mapToInt(session -> session.deque().inFlight()).sum();
  }

  /** Bytes read and not acknowledged. */
  public long bytesInFlight() {
    return env.budget().used();
  }

  /** The outlet. */
  Outlet outlet() {
    return env.outlet();
  }

  /** Numbers from 0 to 1. */
  DoubleSupplier chance() {
    return env.chance();
  }

  /** How to work. */
  ReaderOptions options() {
    return env.options();
  }
}
