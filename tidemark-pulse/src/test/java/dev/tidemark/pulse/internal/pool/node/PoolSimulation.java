package dev.tidemark.pulse.internal.pool.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.internal.pool.rows.Dispatching;
import dev.tidemark.pulse.internal.pool.rows.JobClaim;
import dev.tidemark.pulse.internal.pool.rows.JobMail;
import dev.tidemark.pulse.internal.pool.rows.JobOutcomes;
import dev.tidemark.pulse.internal.pool.rows.JobRow;
import dev.tidemark.pulse.internal.pool.rows.JobState;
import dev.tidemark.pulse.internal.pool.rows.JobTable;
import dev.tidemark.pulse.internal.pool.rows.JobTransitions;
import dev.tidemark.pulse.internal.pool.rows.Membership;
import dev.tidemark.pulse.internal.pool.rows.PoolConfig;
import dev.tidemark.pulse.internal.pool.rows.PoolKeys;
import dev.tidemark.pulse.internal.pool.rows.QueueTokens;
import dev.tidemark.pulse.internal.pool.rows.Reply;
import dev.tidemark.pulse.internal.pool.rows.Waiter;
import dev.tidemark.pulse.internal.pool.rows.WorkerSlots;
import dev.tidemark.pulse.pool.JobExistsException;
import dev.tidemark.pulse.pool.PoolFullException;
import dev.tidemark.pulse.pool.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Nodes that work on one store step by step, in an order that a seed decides, with crashes and
 * pauses between any two transitions, and a model that knows which jobs there must be.
 */
final class PoolSimulation {
  static final int QUEUED_MAX = 5;
  static final PoolConfig CONFIG = new PoolConfig(1_000, 200, QUEUED_MAX);
  private static final int KEYS = 8;
  private static final Duration GRACE = Duration.ofMillis(CONFIG.restartGrace());

  final Set<String> jobs = new TreeSet<>();
  final List<SimulatedNode> nodes = new ArrayList<>();
  private final Map<String, Long> epochs = new HashMap<>();
  private final RowStore store;
  private final SplittableRandom random;
  private int names;
  private long now = 1_700_000_000_000L;

  PoolSimulation(RowStore store, SplittableRandom random) {
    this.store = store;
    this.random = random;
  }

  void step() {
    switch (random.nextInt(16)) {
      case 0, 1, 2 -> dispatch("job-" + random.nextInt(KEYS));
      case 3 -> join();
      case 4 -> anyNode().ifPresent(this::addWorker);
      case 5, 6 -> anyNode().ifPresent(this::look);
      case 7, 8, 9 -> anyNode().ifPresent(this::report);
      case 10 -> anyNode().ifPresent(this::endSomeJob);
      case 11 -> anyNode().ifPresent(this::rebalance);
      case 12 -> stop("job-" + random.nextInt(KEYS));
      case 13 -> anyNode().ifPresent(this::readMail);
      case 14 -> misfortune();
      default -> passTime();
    }
    store.read(
        rows -> {
          PoolInvariants.check(rows, jobs, QUEUED_MAX);
          return true;
        });
  }

  private Optional<SimulatedNode> anyNode() {
    List<SimulatedNode> awake = nodes.stream().filter(node -> !node.paused).toList();
    return awake.isEmpty()
        ? Optional.empty()
        : Optional.of(awake.get(random.nextInt(awake.size())));
  }

  private void dispatch(String key) {
    boolean exists = jobs.contains(key);
    int queued = store.read(QueueTokens::queued);
    Waiter waiter = random.nextBoolean() ? new Waiter("c", names++) : null;
    Long due = random.nextInt(4) == 0 ? (Long) (now + random.nextInt(500)) : null;
    RetryPolicy retry =
        random.nextBoolean() ? RetryPolicy.NONE : RetryPolicy.of(3, Duration.ofMillis(50));
    Dispatching.Request request =
        new Dispatching.Request(key, new byte[] {1}, due, retry, waiter, null, 0);
    try {
      store.transact(rows -> Dispatching.dispatch(rows, request, CONFIG, now));
      assertThat(exists).as("%s was there and was taken again", key).isFalse();
      assertThat(queued).as("queued before %s", key).isLessThan(QUEUED_MAX);
      jobs.add(key);
    } catch (JobExistsException refused) {
      assertThat(exists).as("%s was refused and is not there", key).isTrue();
    } catch (PoolFullException refused) {
      assertThat(queued).as("queued when %s was refused", key).isEqualTo(QUEUED_MAX);
    }
  }

  SimulatedNode join() {
    SimulatedNode node = new SimulatedNode("n" + names++);
    run(rows -> Membership.join(rows, node.id, CONFIG, now));
    node.leaseEnd = now + CONFIG.workerTtl();
    nodes.add(node);
    return node;
  }

  void addWorker(SimulatedNode node) {
    String worker = PoolKeys.worker(node.id, names++);
    boolean alive = store.read(rows -> Membership.nodes(rows).contains(node.id));
    if (alive) {
      run(rows -> Membership.addWorker(rows, worker));
      node.workers.add(worker);
      placeWaiting();
    }
  }

  /** Starts some of what is assigned to the node, and says so later, or fails. */
  void look(SimulatedNode node) {
    Tuple mine = PoolKeys.ASSIGNED.append(node.id);
    for (Rows.Row row : store.read(rows -> rows.peek(mine, mine, 100))) {
      String key = PoolKeys.last(row.key());
      JobRow job = store.read(rows -> JobTable.get(rows, key)).orElseThrow();
      JobClaim claim = new JobClaim(row.key().getString(2), key, job.epoch());
      boolean known =
          node.running.containsKey(key)
              || node.reports.stream().anyMatch(report -> report.claim().equals(claim));
      if (!known) {
        start(node, claim);
      }
    }
  }

  private void start(SimulatedNode node, JobClaim claim) {
    Long before = epochs.put(claim.key(), claim.epoch());
    assertThat(claim.epoch())
        .as("epoch of %s, which was started in %s before", claim, before)
        .isGreaterThan(before == null ? -1 : before);
    if (random.nextInt(5) == 0) {
      node.reports.add(new SimulatedNode.Report(SimulatedNode.Kind.START_FAILED, claim));
    } else {
      node.running.put(claim.key(), claim);
      node.reports.add(new SimulatedNode.Report(SimulatedNode.Kind.STARTED, claim));
    }
  }

  private void report(SimulatedNode node) {
    SimulatedNode.Report report = node.reports.poll();
    if (report == null) {
      return;
    }
    JobClaim claim = report.claim();
    List<JobMail.Letter> stops = store.read(rows -> JobMail.letters(rows, claim.key()));
    boolean owned =
        store
            .read(rows -> JobTable.get(rows, claim.key()))
            .filter(job -> job.epoch() == claim.epoch())
            .flatMap(JobRow::owner)
            .equals(Optional.of(claim.worker()));
    boolean held =
        store.transact(
            rows ->
                switch (report.kind()) {
                  case STARTED -> JobTransitions.started(rows, claim, now);
                  case START_FAILED ->
                      JobTransitions.startFailed(rows, claim, "no", GRACE, now)
                          != JobTransitions.AfterFailure.NOT_OWNED;
                  case FINISHED -> JobTransitions.finished(rows, claim, now);
                  case RUN_FAILED -> JobTransitions.runFailed(rows, claim, "no", now);
                });
    assertThat(held).as("%s is taken", report).isEqualTo(owned);
    if (!held) {
      node.running.remove(claim.key(), claim);
    } else if (report.kind() == SimulatedNode.Kind.FINISHED) {
      jobs.remove(claim.key());
      stops.forEach(this::assertTold);
    } else if (!stops.isEmpty()) {
      forgetIfStopped(claim.key(), stops);
    } else if (report.kind() == SimulatedNode.Kind.START_FAILED) {
      takeAwayIfHeard(claim.key());
    }
  }

  /** A job that somebody asked to stop may be gone when it failed for good; they are told then. */
  private void forgetIfStopped(String key, List<JobMail.Letter> stops) {
    if (store.read(rows -> JobTable.get(rows, key)).isEmpty()) {
      stops.forEach(this::assertTold);
      jobs.remove(key);
    }
  }

  private void assertTold(JobMail.Letter stop) {
    Waiter waiter = Objects.requireNonNull(stop.waiter());
    Tuple row = PoolKeys.REPLIES.append(waiter.client()).append(waiter.request());
    assertThat(store.read(rows -> rows.get(row)).map(Reply::decode))
        .as("what %s is told", waiter)
        .hasValueSatisfying(reply -> assertThat(reply.success()).isTrue());
  }

  /** A job that failed is there until somebody has heard of it, who may be gone. */
  private void takeAwayIfHeard(String key) {
    JobRow job = store.read(rows -> JobTable.get(rows, key)).orElseThrow();
    Waiter waiter = job.waiter();
    if (job.state() instanceof JobState.Dead && waiter != null && random.nextBoolean()) {
      Tuple reply = PoolKeys.REPLIES.append(waiter.client()).append(waiter.request());
      assertThat(Reply.decode(store.read(rows -> rows.get(reply).orElseThrow())).success())
          .isFalse();
      run(rows -> JobOutcomes.heardFailure(rows, key, waiter));
      jobs.remove(key);
    }
  }

  private void endSomeJob(SimulatedNode node) {
    node.running.values().stream()
        .findFirst()
        .ifPresent(
            claim -> {
              node.running.remove(claim.key());
              SimulatedNode.Kind kind =
                  random.nextBoolean()
                      ? SimulatedNode.Kind.FINISHED
                      : SimulatedNode.Kind.RUN_FAILED;
              node.reports.add(new SimulatedNode.Report(kind, claim));
            });
  }

  private void rebalance(SimulatedNode node) {
    WorkerSlots slots = store.read(Dispatching::slots);
    List<JobClaim> moved =
        node.running.values().stream()
            .filter(claim -> !slots.route(claim.key()).equals(Optional.of(claim.worker())))
            .toList();
    moved.forEach(claim -> node.running.remove(claim.key()));
    run(rows -> JobTransitions.handOver(rows, moved));
  }

  private void stop(String key) {
    JobMail.Stamp stamp = new JobMail.Stamp(now, "c", names++);
    switch (store.transact(
        rows -> JobMail.stop(rows, key, new Waiter("c", stamp.number()), stamp))) {
      case NO_JOB -> assertThat(jobs).doesNotContain(key);
      case FORGOTTEN -> jobs.remove(key);
      case LEFT_WITH_OWNER -> assertThat(jobs).contains(key);
    }
  }

  private void readMail(SimulatedNode node) {
    Tuple mine = PoolKeys.POST.append(node.id);
    for (Rows.Row row : store.read(rows -> rows.peek(mine, mine, 100))) {
      JobClaim claim = node.running.get(PoolKeys.last(row.key()));
      if (claim != null && store.transact(rows -> JobTransitions.removed(rows, claim, now))) {
        node.running.remove(claim.key());
        jobs.remove(claim.key());
      }
    }
  }

  private void misfortune() {
    if (nodes.isEmpty()) {
      return;
    }
    SimulatedNode node = nodes.get(random.nextInt(nodes.size()));
    switch (random.nextInt(4)) {
      case 0 -> nodes.remove(node);
      case 2 -> suspect(node);
      case 1 -> node.paused = !node.paused;
      default -> close(node);
    }
  }

  /** Another node takes this one for dead, rightly or not. */
  private void suspect(SimulatedNode node) {
    boolean there = store.read(rows -> Membership.nodes(rows).contains(node.id));
    boolean removed = store.transact(rows -> Membership.expire(rows, node.id, now));

    assertThat(removed).as("%s is removed", node.id).isEqualTo(there && node.leaseEnd < now);
  }

  private void close(SimulatedNode node) {
    if (node.paused) {
      return;
    }
    nodes.remove(node);
    run(rows -> Membership.beginLeave(rows, node.workers));
    List<JobClaim> claims = List.copyOf(node.running.values());
    if (random.nextBoolean()) {
      run(rows -> JobTransitions.handOver(rows, claims));
    }
    if (random.nextBoolean()) {
      node.workers.forEach(this::takeAll);
      run(rows -> Membership.leave(rows, node.id));
    }
  }

  /** Time passes; nodes that are awake renew their leases, and one of them does the upkeep. */
  private void passTime() {
    now += random.nextInt(600);
    for (SimulatedNode node : List.copyOf(nodes)) {
      if (!node.paused) {
        renew(node);
      }
    }
    upkeep();
  }

  private void renew(SimulatedNode node) {
    if (store.transact(rows -> Membership.renew(rows, node.id, CONFIG, now))) {
      node.leaseEnd = now + CONFIG.workerTtl();
    } else {
      nodes.remove(node);
    }
  }

  private void upkeep() {
    for (String node : store.read(rows -> Membership.expired(rows, now))) {
      store.transact(rows -> Membership.expire(rows, node, now));
    }
    store.read(Membership::abandoned).forEach(this::takeAll);
    placeWaiting();
    for (Rows.Row row : store.read(rows -> rows.peek(PoolKeys.DUE, PoolKeys.DUE, 100))) {
      long due = row.key().getLong(1);
      if (due <= now) {
        run(rows -> Dispatching.start(rows, PoolKeys.last(row.key()), due));
      }
    }
  }

  private void takeAll(String worker) {
    while (store.transact(rows -> Membership.takeSome(rows, worker, 3))) {}
  }

  private void placeWaiting() {
    while (store.transact(rows -> Dispatching.placeWaiting(rows, 3)) == 3) {}
  }

  /** All nodes crash; one new node has to end up with every job that is not dead. */
  Set<String> runningAfterACrashOfAll() {
    nodes.clear();
    now += 10 * CONFIG.workerTtl();
    SimulatedNode last = join();
    addWorker(last);
    upkeep();
    addWorker(last);
    for (int i = 0; i < 5; i++) {
      now += 1;
      upkeep();
    }
    Set<String> found = new TreeSet<>();
    Tuple mine = PoolKeys.ASSIGNED.append(last.id);
    store
        .read(rows -> rows.peek(mine, mine, 100_000))
        .forEach(row -> found.add(PoolKeys.last(row.key())));
    found.addAll(
        Dispatching.keys(store.read(rows -> rows.peek(PoolKeys.DEAD, PoolKeys.DEAD, 1_000))));
    return found;
  }

  private interface Write {
    void to(Rows rows);
  }

  private void run(Write write) {
    store.transact(
        rows -> {
          write.to(rows);
          return true;
        });
  }
}
