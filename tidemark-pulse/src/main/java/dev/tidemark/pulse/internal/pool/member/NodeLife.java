package dev.tidemark.pulse.internal.pool.member;

import dev.tidemark.coordination.HeldLease;
import dev.tidemark.pulse.internal.pool.rows.Membership;
import dev.tidemark.pulse.internal.pool.rows.PoolKeys;
import dev.tidemark.pulse.pool.PoolClient;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One membership of a node: from joining to leaving, or to the loss of its lease. Afterwards the
 * node has another one, with another id, and nothing of this one counts any more.
 */
public final class NodeLife {
  private static final int BATCH = 256;

  private final PoolCore core;
  private final String id = PoolCore.newId("n");
  private final PoolClient client;
  private final Runnable wake;
  private final JobReports reports;
  private final AtomicInteger workers = new AtomicInteger();
  private final HeldLease lease;
  private volatile boolean more;

  /**
   * Begins a life, which is not in the store yet.
   *
   * @param wake makes the node look for work
   */
  public NodeLife(PoolCore core, PoolClient client, Runnable wake) {
    this.core = core;
    this.client = client;
    this.wake = wake;
    this.lease = new HeldLease(core.backend().time(), core.options().workerTtl());
    this.reports = new JobReports(core, id, lease::lose);
  }

  public String id() {
    return id;
  }

  public PoolCore core() {
    return core;
  }

  public PoolClient client() {
    return client;
  }

  public JobReports reports() {
    return reports;
  }

  /** Makes the node look for work. */
  public void wake() {
    wake.run();
  }

  /** Whether the store has more for a worker than it could take in. */
  public void wantsMore(boolean wants) {
    more = wants;
  }

  /** A worker has started what it had; more of it is fetched if there is more. */
  public void drained() {
    if (more) {
      wake();
    }
  }

  public String newWorkerId() {
    return PoolKeys.worker(id, workers.incrementAndGet());
  }

  /** Joins the pool. */
  public void join() {
    endAbandonedShutdown();
    lease.renew(this::enter);
  }

  private boolean enter() {
    long now = core.now();
    return core.rows()
        .transact(
            rows -> {
              Membership.join(rows, id, core.config(), now);
              return true;
            });
  }

  private void endAbandonedShutdown() {
    Membership.ShutdownStep step = Membership.ShutdownStep.JOBS_LEFT;
    while (step == Membership.ShutdownStep.JOBS_LEFT) {
      long now = core.now();
      step = core.rows().transact(rows -> Membership.endAbandonedShutdown(rows, BATCH, now));
    }
  }

  /** Renews the lease in the store; whether it still is this node's. */
  boolean renew() {
    long now = core.now();
    return core.rows().transact(rows -> Membership.renew(rows, id, core.config(), now));
  }

  /** The lease of this life, as this process knows it. */
  public HeldLease lease() {
    return lease;
  }

  /** Whether the lease may be over: others may have taken the jobs. */
  public boolean isLost() {
    return lease.isLost();
  }

  /** Ends everything of this life that is not in the store. */
  public void end() {
    reports.close();
  }
}
