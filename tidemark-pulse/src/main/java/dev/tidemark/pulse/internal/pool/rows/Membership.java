package dev.tidemark.pulse.internal.pool.rows;

import dev.tidemark.coordination.LeaseTable;
import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.pool.PoolClosedException;
import dev.tidemark.pulse.pool.PoolException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** How nodes and workers come and go: each of these is one transition. */
public final class Membership {
  private static final LeaseTable NODES = new LeaseTable(PoolKeys.NODES);
  private static final byte[] NOTHING = {};

  /** So many jobs are looked at in one step of {@link #takeUnseen}. */
  public static final int UNSEEN_PAGE = 256;

  private Membership() {}

  private static Instant at(long time) {
    return Instant.ofEpochMilli(time);
  }

  private static boolean isGone(Rows rows, String node) {
    return NODES.find(rows, node).isEmpty();
  }

  /**
   * Lets a node in, with a lease.
   *
   * @throws PoolException if the nodes that are there have other options, or the pool is being shut
   *     down
   */
  public static void join(Rows rows, String id, PoolConfig config, long now) {
    boolean alone = NODES.all(rows).stream().allMatch(node -> node.isOver(at(now)));
    Dispatching.checkOpen(rows);
    Optional<PoolConfig> theirs = PoolConfig.stored(rows);
    if (!alone && theirs.isPresent()) {
      config.checkAgainst(theirs.get());
    }
    rows.set(PoolKeys.CONFIG, config.encode());
    NODES.put(rows, id, at(now + config.workerTtl()), Tuple.EMPTY);
  }

  /** Renews the lease of a node; false if it has been taken away. */
  public static boolean renew(Rows rows, String id, PoolConfig config, long now) {
    return NODES.extend(rows, id, at(now + config.workerTtl()));
  }

  /**
   * Gives a worker its slot.
   *
   * @throws PoolException if its node has lost the lease, or the pool has too many workers
   */
  public static void addWorker(Rows rows, String worker) {
    Dispatching.checkOpen(rows);
    if (isGone(rows, PoolKeys.nodeOf(worker))) {
      throw new PoolException("The node lost its lease while a worker was added; add it again");
    }
    WorkerSlots slots = Dispatching.slots(rows);
    if (slots.contains(worker)) {
      return;
    }
    if (slots.workers().size() >= WorkerSlots.SLOTS_MAX) {
      throw new PoolException(
          "The pool has %,d workers, which is the limit".formatted(WorkerSlots.SLOTS_MAX));
    }
    setSlots(rows, slots.with(worker));
  }

  private static void setSlots(Rows rows, WorkerSlots slots) {
    rows.set(PoolKeys.RING, slots.encode());
    rows.wake(PoolKeys.POOL_CHANNEL, RowStore.NO_HINT);
  }

  /**
   * Takes workers out of the slots: nothing new comes to them. They keep the jobs that they have.
   */
  public static void beginLeave(Rows rows, List<String> workers) {
    WorkerSlots slots = Dispatching.slots(rows);
    WorkerSlots left = slots;
    for (String worker : workers) {
      if (left.contains(worker)) {
        rows.set(PoolKeys.LEAVING.append(worker), NOTHING);
        left = left.without(worker);
      }
    }
    if (!left.equals(slots)) {
      setSlots(rows, left);
    }
  }

  /**
   * Gives away some of the jobs that a worker, which has left its slot, still has. They do not run:
   * it has stopped them, or its node is gone.
   *
   * @return whether there may be more; otherwise the worker is forgotten
   */
  public static boolean takeSome(Rows rows, String worker, int limit) {
    WorkerSlots slots = Dispatching.slots(rows);
    if (slots.contains(worker)) {
      return false;
    }
    List<Rows.Row> found = new ArrayList<>();
    for (Tuple table : List.of(PoolKeys.RUNNING, PoolKeys.ASSIGNED)) {
      found.addAll(rows.scan(PoolKeys.ofWorker(table, worker), Math.max(1, limit - found.size())));
    }
    JobTransitions.takeFrom(rows, worker, found);
    if (found.isEmpty()) {
      rows.clear(PoolKeys.LEAVING.append(worker));
    }
    return !found.isEmpty();
  }

  /**
   * Gives jobs away that are assigned to a worker, which has left its slot, and that it has not
   * {@code seen}: a page of them behind {@code after}.
   *
   * @return the page, with those that it has seen
   */
  public static List<Rows.Row> takeUnseen(Rows rows, String worker, Tuple after, Set<String> seen) {
    if (Dispatching.slots(rows).contains(worker)) {
      return List.of();
    }
    Tuple table = PoolKeys.ofWorker(PoolKeys.ASSIGNED, worker);
    List<Rows.Row> page = rows.peek(table, after, UNSEEN_PAGE);
    JobTransitions.takeFrom(
        rows,
        worker,
        page.stream().filter(row -> !seen.contains(PoolKeys.last(row.key()))).toList());
    return page;
  }

  /** Takes a node whose lease has run out from the pool; whether it had. */
  public static boolean expire(Rows rows, String id, long now) {
    if (NODES.find(rows, id).filter(node -> node.isOver(at(now))).isEmpty()) {
      return false;
    }
    beginLeave(
        rows,
        Dispatching.slots(rows).workers().stream()
            .filter(worker -> PoolKeys.nodeOf(worker).equals(id))
            .toList());
    leave(rows, id);
    return true;
  }

  /** Takes workers out of the slots whose node is not there at all. */
  public static int removeStrays(Rows rows) {
    List<String> strays =
        Dispatching.slots(rows).workers().stream()
            .filter(worker -> isGone(rows, PoolKeys.nodeOf(worker)))
            .toList();
    beginLeave(rows, strays);
    return strays.size();
  }

  /** Forgets a node, which has no worker in the slots any more. */
  public static void leave(Rows rows, String id) {
    NODES.remove(rows, id);
    rows.forget(PoolKeys.nodeChannel(id));
    rows.wake(PoolKeys.POOL_CHANNEL, RowStore.NO_HINT);
  }

  /** The ids of nodes whose lease has run out. */
  public static List<String> expired(Rows rows, long now) {
    return NODES.peek(rows).stream()
        .filter(node -> node.isOver(at(now)))
        .map(LeaseTable.Entry::id)
        .toList();
  }

  /** Workers that have left its slot and whose node is gone: somebody has to take their jobs. */
  public static List<String> abandoned(Rows rows) {
    List<String> leaving =
        Dispatching.keys(rows.peek(PoolKeys.LEAVING, PoolKeys.LEAVING, WorkerSlots.SLOTS_MAX));
    return leaving.stream().filter(worker -> isGone(rows, PoolKeys.nodeOf(worker))).toList();
  }

  /** Begins a shutdown, if none has been begun. */
  public static void beginShutdown(Rows rows, long now) {
    if (rows.get(PoolKeys.SHUTDOWN).isEmpty()) {
      rows.set(PoolKeys.SHUTDOWN, Tuple.of(now).pack());
      rows.wake(PoolKeys.POOL_CHANNEL, RowStore.NO_HINT);
    }
  }

  public static boolean isShutdown(Rows rows) {
    return rows.get(PoolKeys.SHUTDOWN).isPresent();
  }

  /** How far a shutdown is. */
  public enum ShutdownStep {
    /** There are nodes that have not left. */
    NODES_LEFT,
    /** There may be jobs that nobody has. */
    JOBS_LEFT,
    /** It is over. */
    ENDED
  }

  /** Does a part of what is left of a shutdown when all nodes are gone. */
  public static ShutdownStep endShutdown(Rows rows, int limit, long now) {
    if (rows.get(PoolKeys.SHUTDOWN).isEmpty()) {
      return ShutdownStep.ENDED;
    }
    if (!rows.scan(PoolKeys.NODES, 1).isEmpty()) {
      return ShutdownStep.NODES_LEFT;
    }
    List<Rows.Row> jobs = rows.scan(PoolKeys.JOBS, limit);
    for (Rows.Row row : jobs) {
      JobTransitions.forget(rows, PoolKeys.last(row.key()), JobRow.decode(row.value()), now);
    }
    if (!jobs.isEmpty()) {
      return ShutdownStep.JOBS_LEFT;
    }
    wipe(rows);
    return ShutdownStep.ENDED;
  }

  /** The same for a shutdown whose nodes have all died. Before a node joins. */
  public static ShutdownStep endAbandonedShutdown(Rows rows, int limit, long now) {
    if (rows.get(PoolKeys.SHUTDOWN).isEmpty()) {
      return ShutdownStep.ENDED;
    }
    List<LeaseTable.Entry> nodes = NODES.all(rows);
    if (nodes.stream().anyMatch(node -> !node.isOver(at(now)))) {
      return ShutdownStep.NODES_LEFT;
    }
    nodes.forEach(node -> expire(rows, node.id(), now));
    return endShutdown(rows, limit, now);
  }

  /** The nodes that are there. */
  public static List<String> nodes(Rows rows) {
    return NODES.peek(rows).stream().map(LeaseTable.Entry::id).toList();
  }

  /** Removes everything but answers, which those who wait still fetch, and the numbers of jobs. */
  private static void wipe(Rows rows) {
    List.of(
            PoolKeys.NODES,
            PoolKeys.LEAVING,
            PoolKeys.JOBS,
            PoolKeys.PAYLOADS,
            PoolKeys.WAITING,
            PoolKeys.ASSIGNED,
            PoolKeys.RUNNING,
            PoolKeys.DUE,
            PoolKeys.DEAD,
            PoolKeys.MAIL,
            PoolKeys.POST,
            PoolKeys.TICKERS,
            PoolKeys.SCHEDULES,
            PoolKeys.PLANNED,
            PoolKeys.CRONS)
        .forEach(rows::clearAll);
    rows.clear(PoolKeys.RING);
    rows.clear(PoolKeys.CONFIG);
    rows.clear(PoolKeys.SHUTDOWN);
    QueueTokens.reset(rows);
  }

  public static PoolClosedException closed(String what) {
    return new PoolClosedException(what + " is closed; open another one");
  }
}
