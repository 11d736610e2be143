package dev.tidemark.pulse.internal.pool.node;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.Threads;
import dev.tidemark.pulse.internal.pool.member.Attendance;
import dev.tidemark.pulse.internal.pool.member.NodeLife;
import dev.tidemark.pulse.internal.pool.member.PoolCore;
import dev.tidemark.pulse.internal.pool.member.PoolCounts;
import dev.tidemark.pulse.internal.pool.rows.Dispatching;
import dev.tidemark.pulse.internal.pool.rows.Membership;
import dev.tidemark.pulse.internal.pool.rows.PoolKeys;
import dev.tidemark.pulse.internal.pool.rows.WorkerSlots;
import dev.tidemark.pulse.internal.pool.worker.LocalWorker;
import dev.tidemark.pulse.internal.pool.worker.WorkerHandle;
import dev.tidemark.pulse.pool.PoolClient;
import dev.tidemark.pulse.pool.PoolClosedException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The membership of a node: it joins the pool, enters its workers into the slots, brings jobs to
 * them, and joins again with them when it has lost its lease.
 */
final class NodeWorkers implements NodeLoop.Steps {
  private final PoolCore core;
  private final PoolClient client;
  private final Runnable onShutdown;
  private final Upkeep upkeep;
  private final NodeLoop loop;
  private final JobDelivery inbox;
  private final WorkerRoster roster;
  private final StraySlots strays;
  private final AtomicBoolean leavingWithThePool = new AtomicBoolean();
  private volatile @Nullable Thread leaver;
  private final RowStore.Listening pool;
  private volatile boolean leaving;
  private volatile boolean ended;

  /** That of the roster's life. The thread of the loop replaces both when a life ends. */
  private volatile @Nullable Attendance attendance;

  // Only for the thread of the loop.
  private WorkerSlots seen = WorkerSlots.EMPTY;
  private @Nullable NodeLife buried;

  NodeWorkers(PoolCore core, PoolClient client, Runnable onShutdown) {
    this.core = core;
    this.client = client;
    this.onShutdown = onShutdown;
    this.upkeep = new Upkeep(core);
    this.strays = new StraySlots(core, upkeep);
    this.loop = new NodeLoop(core, this);
    this.inbox = new JobDelivery(this::life, this::byId, loop::wakeForInbox);
    this.roster = new WorkerRoster(new NodeLife(core, client, inbox::searchNow));
    this.pool = core.rows().onWake(PoolKeys.POOL_CHANNEL, hint -> loop.wakeForPool());
  }

  /** Joins the pool and begins to work. */
  void begin() {
    life().join();
    attend();
    loop.start();
  }

  private void attend() {
    NodeLife current = life();
    attendance = new Attendance(current, () -> stopLostJobs(current), this::beat, inbox::told);
  }

  private void beat() {
    Attendance attending = attendance;
    if (life().isLost() && attending != null) {
      attending.lookAtLease();
    }
    inbox.search();
    loop.wakeForBeat();
  }

  NodeLife life() {
    return roster.life();
  }

  private Map<String, LocalWorker> byId() {
    return roster.byId();
  }

  WorkerRoster roster() {
    return roster;
  }

  /** From now on the node does not join again, should it lose its lease. */
  void beginLeave() {
    leaving = true;
  }

  WorkerHandle add(WorkerHandle.Maker maker) {
    WorkerHandle worker = roster.add(maker);
    LocalWorker first = worker.current();
    try {
      enter(first.id());
    } catch (RuntimeException refused) {
      // It may be in the slots all the same, and have jobs: the loop gives them to others.
      first.abandon(core.options().drainTime());
      if (roster.removeUnlessRenewed(worker, first)) {
        loop.wakeForPool();
        throw refused;
      }
    }
    return worker;
  }

  private void enter(String id) {
    core.rows()
        .transact(
            rows -> {
              Membership.addWorker(rows, id);
              return id;
            });
    upkeep.placeWaitingJobs();
  }

  @Override
  public void giveUpLease() {
    life().lease().lose();
    Attendance attending = attendance;
    if (attending != null) {
      attending.lookAtLease();
    }
  }

  @Override
  public void lookIntoInbox() {
    inbox.look();
  }

  @Override
  public void lookAtPool() {
    WorkerSlots slots = core.rows().read(Dispatching::slots);
    strays.clear(slots, life().id(), roster.byId().keySet());
    if (!slots.equals(seen)) {
      seen = slots;
      rebalance(worker -> true);
    }
    if (core.rows().read(Membership::isShutdown) && leavingWithThePool.compareAndSet(false, true)) {
      leaver =
          Thread.ofVirtual().name("pulse-shutdown-" + life().id()).start(this::leaveWithThePool);
    }
  }

  private void rebalance(Predicate<LocalWorker> some) {
    roster.all().stream()
        .map(WorkerHandle::current)
        .filter(worker -> seen.contains(worker.id()) && some.test(worker))
        .forEach(worker -> worker.rebalance(seen));
  }

  private void leaveWithThePool() {
    try {
      onShutdown.run();
    } catch (Throwable failure) {
      core.report("The node %s could not leave".formatted(life().id()), failure);
    } finally {
      leavingWithThePool.set(false);
    }
  }

  @Override
  public void upkeep() {
    rebalance(LocalWorker::isToMoveMore);
    upkeep.round();
  }

  @Override
  public OptionalLong startDue() {
    return upkeep.startDue();
  }

  @Override
  public void checkLease() {
    NodeLife over = life();
    if (!over.isLost() || over.equals(buried) || ended) {
      return;
    }
    buried = over;
    Attendance attending = attendance;
    if (attending != null) {
      attending.awaitLoss();
    }
    detach();
    over.end();
    rejoin();
  }

  /** By the thread of the watch, whatever the loop waits for. */
  private void stopLostJobs(NodeLife over) {
    if (ended) {
      return;
    }
    core.counts().add(PoolCounts.What.LEASE_LOST);
    core.reportAside(
        "The node %s lost its lease: its jobs are stopped here, and it joins again"
            .formatted(over.id()),
        new IllegalStateException("not renewed within " + core.options().workerTtl()));
    abandonAll();
    loop.wakeForBeat();
  }

  /** Stops all jobs and tells the store nothing. */
  void abandonAll() {
    roster.abandonAll(core.options().drainTime());
  }

  private void detach() {
    Attendance attending = attendance;
    if (attending != null) {
      attending.close();
    }
  }

  /** Until it is over nothing is started at once: a life that could not begin has no jobs. */
  private void rejoin() {
    inbox.searchNow();
    while (!ended && !leaving) {
      NodeLife fresh = new NodeLife(core, client, inbox::searchNow);
      try {
        fresh.join();
        roster.beginLife(fresh);
        attend();
        if (ended || leaving) {
          withdraw(fresh);
          return;
        }
        for (WorkerHandle worker : roster.all()) {
          roster.renew(worker, fresh).map(LocalWorker::id).ifPresent(this::enter);
        }
        return;
      } catch (PoolClosedException shutdown) {
        fresh.end();
        leaveWithThePool();
        return;
      } catch (RuntimeException failure) {
        detach();
        fresh.end();
        core.report("A node of the pool %s cannot join again yet".formatted(core.name()), failure);
        if (!core.pause(core.options().workerTtl().dividedBy(3))) {
          return;
        }
      }
    }
  }

  /** Leaves with a life that began while the node was being closed. */
  private void withdraw(NodeLife fresh) {
    detach();
    fresh.end();
    core.rows()
        .transact(
            rows -> {
              Membership.leave(rows, fresh.id());
              return fresh.id();
            });
  }

  /** Ends all threads; the node has left the pool. */
  void end() {
    ended = true;
    detach();
    pool.close();
    loop.close();
    roster.removeAll();
    life().end();
  }

  /** Waits for the thread that leaves with the pool, which may still talk to the store. */
  void awaitLeaver() {
    Thread leaving = leaver;
    if (leaving != null) {
      Threads.awaitEnd(List.of(leaving));
    }
  }
}
