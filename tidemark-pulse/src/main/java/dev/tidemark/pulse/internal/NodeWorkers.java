package dev.tidemark.pulse.internal;

import dev.tidemark.kv.Tuple;
import dev.tidemark.pulse.PoolClient;
import dev.tidemark.pulse.PoolClosedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The workers of a node through all lives of it, and the threads that keep them busy. */
final class NodeWorkers implements NodeLoop.Steps {
  private final PoolCore core;
  private final PoolClient client;
  private final Runnable onShutdown;
  private final Upkeep upkeep;
  private final NodeLoop loop;
  private final AssignedHints hints = new AssignedHints();
  private final List<RealWorker> workers = new CopyOnWriteArrayList<>();
  private final StraySlots strays;
  private final AtomicBoolean leavingWithThePool = new AtomicBoolean();
  private final RowStore.Listening pool;
  private volatile boolean leaving;
  private volatile boolean ended;

  /** Held while a worker comes, goes or is renewed, and while the life of the node changes. */
  private final ReentrantLock changing = new ReentrantLock();

  // Replaced together, by the thread of the loop, when a life ends.
  private volatile NodeLife life;
  private volatile @Nullable Heartbeat heartbeat;
  private volatile @Nullable LeaseWatch leaseWatch;
  private volatile RowStore.@Nullable Listening inbox;

  // Only for the thread of the loop.
  private Ring seen = Ring.EMPTY;
  private @Nullable NodeLife buried;

  NodeWorkers(PoolCore core, PoolClient client, Runnable onShutdown) {
    this.core = core;
    this.client = client;
    this.onShutdown = onShutdown;
    this.upkeep = new Upkeep(core);
    this.strays = new StraySlots(core, upkeep);
    this.loop = new NodeLoop(core, this);
    this.life = new NodeLife(core, client, this::searchInbox);
    this.pool = core.rows().onWake(PoolKeys.POOL_CHANNEL, hint -> loop.wakeForPool());
  }

  /** Joins the pool and begins to work. */
  void begin() {
    life.join();
    attend();
    loop.start();
  }

  private void attend() {
    NodeLife current = life;
    leaseWatch = new LeaseWatch(current, () -> stopLostJobs(current));
    heartbeat = new Heartbeat(current, this::beat);
    inbox = core.rows().onWake(PoolKeys.nodeChannel(current.id()), this::told);
  }

  private void beat() {
    LeaseWatch watch = leaseWatch;
    if (life.isLost() && watch != null) {
      watch.look();
    }
    hints.search();
    loop.wakeForBeat();
  }

  private void told(byte[] message) {
    if (message.length == 0) {
      searchInbox();
      return;
    }
    try {
      told(AssignedHint.decode(message));
    } catch (RuntimeException unreadable) {
      searchInbox(); // what it meant is in the store
    }
  }

  private void told(AssignedHint hint) {
    if (!startAtOnce(hint)) {
      hints.add(hint);
      loop.wakeForInbox();
    }
  }

  /** Has a worker start a job of which everything was told; false if the node has to look. */
  private boolean startAtOnce(AssignedHint hint) {
    Optional<LocalWorker> worker =
        workers.stream()
            .map(RealWorker::current)
            .filter(each -> each.id().equals(hint.worker()))
            .filter(each -> each.queued() < Inbox.QUEUED_MAX)
            .findFirst();
    return worker.isPresent()
        && hint.assignment()
            .filter(assignment -> hints.startAtOnce(assignment, worker.get()::offer))
            .isPresent();
  }

  NodeLife life() {
    return life;
  }

  /** From now on the node does not join again, should it lose its lease. */
  void beginLeave() {
    leaving = true;
  }

  List<RealWorker> all() {
    return workers;
  }

  boolean has(RealWorker worker) {
    return workers.contains(worker);
  }

  RealWorker add(RealWorker.Maker maker) {
    RealWorker worker = makeLocal(maker);
    LocalWorker first = worker.current();
    try {
      enter(first.id());
    } catch (RuntimeException refused) {
      // It may be in the ring all the same, and have jobs: the loop gives them to others.
      first.abandon(core.options().shutdownTime());
      if (removeUnlessRenewed(worker, first)) {
        loop.wakeForPool();
        throw refused;
      }
    }
    return worker;
  }

  private RealWorker makeLocal(RealWorker.Maker maker) {
    changing.lock();
    try {
      RealWorker worker = new RealWorker(maker, life);
      workers.add(worker);
      return worker;
    } finally {
      changing.unlock();
    }
  }

  /** Removes a worker that has no jobs as {@code known}; false if it has begun anew since. */
  boolean removeUnlessRenewed(RealWorker worker, LocalWorker known) {
    changing.lock();
    try {
      if (worker.current() != known) {
        return false;
      }
      remove(worker);
      return true;
    } finally {
      changing.unlock();
    }
  }

  /** Has a worker begin in the life {@code fresh}; empty if it is gone, or was made in it. */
  private Optional<LocalWorker> renew(RealWorker worker, NodeLife fresh) {
    changing.lock();
    try {
      return has(worker) && !worker.isIn(fresh)
          ? Optional.of(worker.renew(fresh))
          : Optional.empty();
    } finally {
      changing.unlock();
    }
  }

  private void beginLife(NodeLife fresh) {
    changing.lock();
    try {
      life = fresh;
    } finally {
      changing.unlock();
    }
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

  private void remove(RealWorker worker) {
    workers.remove(worker);
    worker.markRemoved();
  }

  private Map<String, LocalWorker> byId() {
    Map<String, LocalWorker> found = new HashMap<>();
    workers.forEach(worker -> found.put(worker.id(), worker.current()));
    return found;
  }

  @Override
  public void lookIntoInbox() {
    Optional<List<Tuple>> assigned = hints.take();
    Inbox current = new Inbox(life, hints);
    try {
      assigned.ifPresentOrElse(rows -> current.lookAt(rows, byId()), () -> current.look(byId()));
    } catch (RuntimeException failure) {
      hints.search();
      throw failure;
    } finally {
      hints.looked();
    }
  }

  private void searchInbox() {
    hints.search();
    loop.wakeForInbox();
  }

  @Override
  public void lookAtPool() {
    Ring ring = core.rows().read(Dispatching::ring);
    strays.clear(ring, life.id(), byId().keySet());
    if (!ring.equals(seen)) {
      seen = ring;
      workers.stream()
          .map(RealWorker::current)
          .filter(worker -> ring.contains(worker.id()))
          .forEach(worker -> worker.rebalance(ring));
    }
    if (core.rows().read(Membership::isShutdown) && leavingWithThePool.compareAndSet(false, true)) {
      Thread.ofVirtual().name("pulse-shutdown-" + life.id()).start(this::leaveWithThePool);
    }
  }

  private void leaveWithThePool() {
    try {
      onShutdown.run();
    } catch (RuntimeException failure) {
      core.report("The node %s could not leave".formatted(life.id()), failure);
    } finally {
      leavingWithThePool.set(false);
    }
  }

  @Override
  public void upkeep() {
    upkeep.round();
  }

  @Override
  public OptionalLong startDue() {
    return upkeep.startDue();
  }

  @Override
  public void checkLease() {
    NodeLife over = life;
    if (!over.isLost() || over.equals(buried) || ended) {
      return;
    }
    buried = over;
    LeaseWatch watch = leaseWatch;
    if (watch != null) {
      watch.look();
      watch.awaitEnd();
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
    core.reportAside(
        "The node %s lost its lease: its jobs are stopped here, and it joins again"
            .formatted(over.id()),
        new IllegalStateException("not renewed within " + core.options().workerTtl()));
    abandonAll();
    loop.wakeForBeat();
  }

  private void detach() {
    LeaseWatch watch = leaseWatch;
    if (watch != null) {
      watch.close();
    }
    Heartbeat beating = heartbeat;
    if (beating != null) {
      beating.close();
    }
    RowStore.Listening listening = inbox;
    if (listening != null) {
      listening.close();
    }
  }

  private void abandonAll() {
    List<Thread> threads = new ArrayList<>();
    for (RealWorker worker : workers) {
      threads.add(
          Threads.startDaemon(
              "pulse-abandon-" + worker.id(),
              () -> worker.current().abandon(core.options().shutdownTime())));
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** Until it is over nothing is started at once: a life that could not begin has no jobs. */
  private void rejoin() {
    searchInbox();
    while (!ended && !leaving) {
      NodeLife fresh = new NodeLife(core, client, this::searchInbox);
      try {
        fresh.join();
        beginLife(fresh);
        attend();
        if (ended || leaving) {
          withdraw(fresh);
          return;
        }
        for (RealWorker worker : workers) {
          renew(worker, fresh).map(LocalWorker::id).ifPresent(this::enter);
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
    List.copyOf(workers).forEach(this::remove);
    life.end();
  }
}
