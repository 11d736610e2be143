package dev.tidemark.partitions.internal.operations;

import dev.tidemark.coordination.FencedException;
import dev.tidemark.coordination.Rows;
import dev.tidemark.coordination.Threads;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionMetrics;
import dev.tidemark.partitions.PartitionOperation;
import dev.tidemark.partitions.internal.policy.ClusterLoad;
import dev.tidemark.partitions.internal.store.OperationRow;
import dev.tidemark.partitions.internal.store.OperationRow.Kind;
import dev.tidemark.partitions.internal.store.OperationRow.Status;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Runs the operations of one leader's term, each on a thread of its own, a limited number at a
 * time. A caller that goes away ends nothing: an operation goes on until it is done, fails, is
 * cancelled or its deadline passes. When the term is over, what is under way is left to the next
 * leader.
 */
public final class OperationRunner implements AutoCloseable {
  private static final int FORGOTTEN_AT_ONCE = 100;
  private static final System.Logger LOG = System.getLogger("dev.tidemark.partitions");
  private static final int AT_ONCE = 16;

  /**
   * A caller that waits for the end looks again after this time, since another manager may have
   * ended the operation.
   */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  private final TermWrites term;
  private final ClusterRows rows;
  private final Hosts hosts;
  private final Targets targets;
  private final PartitionMetrics metrics;
  private final Semaphore room = new Semaphore(AT_ONCE, true);
  private final Map<String, Thread> running = new ConcurrentHashMap<>();
  private final AtomicLong names = new AtomicLong();
  private final ReentrantLock ending = new ReentrantLock();
  private final Condition ended = ending.newCondition();
  private final AtomicLong endings = new AtomicLong();
  private volatile boolean closed;

  /**
   * Runs nothing yet.
   *
   * @param load what is known of the cluster's load, for choosing targets
   * @param metrics who is told of operations that ended
   */
  public OperationRunner(
      TermWrites term,
      ClusterRows rows,
      Hosts hosts,
      Supplier<ClusterLoad> load,
      PartitionMetrics metrics) {
    this.metrics = metrics;
    this.term = term;
    this.rows = rows;
    this.hosts = hosts;
    this.targets = new Targets(load, term.database().time());
  }

  Targets targets() {
    return targets;
  }

  /** A name that no other term gives. */
  public String newName(String prefix) {
    return "%s-%d-%d".formatted(prefix, term.leadership().term(), names.incrementAndGet());
  }

  /** Starts an operation under a new id, which it returns. */
  public String start(OperationRequest asked) {
    return start(newName("op"), asked);
  }

  /** Starts an operation, or finds the one that was started under the same id. */
  public String start(String id, OperationRequest asked) {
    OperationRequest named = asked.kind() == Kind.SPLIT ? withNewPartition(asked) : asked;
    long now = term.nowMicros();
    checkThere(named);
    term.run(
        control -> {
          if (rows.operations().find(control, id).isEmpty() && named.kind() == Kind.DRAIN) {
            rows.states().drain(control, named.node().orElseThrow());
          }
          rows.operations().create(control, id, named, term.leadership().term(), now);
        });
    submit(id);
    return id;
  }

  private OperationRequest withNewPartition(OperationRequest asked) {
    return new OperationRequest(
        asked.kind(),
        asked.type(),
        asked.partition(),
        Optional.of(newName("p")),
        asked.node(),
        asked.key(),
        asked.deadline());
  }

  /** The row of a partition stays for longer than an operation that names it; see Tombstones. */
  private void checkThere(OperationRequest asked) {
    for (String partition : asked.locked()) {
      if (term.readStore(tx -> rows.routing().owner(tx, partition)).isEmpty()) {
        throw new PartitionException(Reason.NOT_FOUND, "There is no partition " + partition);
      }
    }
  }

  /** Goes on with everything that earlier terms left behind. */
  public void resumeAll() {
    Map<String, OperationRow> all = term.read(rows.operations()::all);
    forgetOld(all);
    all.forEach(
        (id, row) -> {
          if (!row.status().isFinal()) {
            submit(id);
          }
        });
  }

  /** Ended operations can be listed for a day. A final row never changes again. */
  private void forgetOld(Map<String, OperationRow> all) {
    long now = term.nowMicros();
    List<String> over =
        all.entrySet().stream()
            .filter(operation -> OperationTable.isOver(operation.getValue(), now))
            .map(Map.Entry::getKey)
            .limit(FORGOTTEN_AT_ONCE)
            .toList();
    if (!over.isEmpty()) {
      if (!term.control().isJoined()) {
        term.store((tx, control) -> forgetOutcomes(tx, over));
      }
      term.run(control -> over.forEach(id -> rows.operations().forget(control, id)));
    }
  }

  private int forgetOutcomes(Transaction tx, List<String> over) {
    over.forEach(id -> term.outcomes().forget(tx, id));
    return over.size();
  }

  private void submit(String id) {
    if (closed) {
      return;
    }
    Thread thread = Thread.ofVirtual().name("operation-" + id).unstarted(() -> run(id));
    if (running.putIfAbsent(id, thread) == null) {
      thread.start();
    }
  }

  /** How many operations run. */
  public int running() {
    return running.size();
  }

  private void run(String id) {
    try {
      OperationRow row = term.read(control -> rows.operations().require(control, id));
      if (!row.status().isFinal()) {
        try {
          attempts(new Run(id, row, term, rows, hosts));
        } finally {
          row.partition().ifPresent(targets::ended);
        }
      }
    } catch (FencedException | InterruptedOperationException | InterruptedException over) {
      LOG.log(Level.DEBUG, "Operation {0} is left to the next leader", id);
    } catch (Run.EndedException ended) {
      LOG.log(Level.DEBUG, "Operation {0} was ended", id);
    } catch (Throwable failure) {
      LOG.log(Level.ERROR, "Operation " + id + " stopped; the reconciler starts it again", failure);
    } finally {
      running.remove(id);
      tellEnd();
    }
  }

  private void attempts(Run run) throws InterruptedException {
    Duration pause = FIRST_PAUSE;
    while (!closed) {
      Optional<PartitionException> failure = attempt(run);
      if (failure.isEmpty()) {
        run.end(Status.DONE, Optional.empty(), tx -> {});
        count(run.row());
        return;
      }
      boolean late = term.nowMicros() > run.row().deadline();
      if (late || isPermanent(run, failure.get())) {
        giveUp(run, failure.get());
        return;
      }
      run.failedAttempt(failure.get().getMessage());
      term.database().time().sleep(pause);
      pause = min(pause.multipliedBy(2), LONGEST_PAUSE);
    }
  }

  private Optional<PartitionException> attempt(Run run) throws InterruptedException {
    boolean limited = run.row().kind() != Kind.DRAIN;
    if (limited) {
      room.acquire();
    }
    try {
      carryOut(run);
      return Optional.empty();
    } catch (PartitionException failure) {
      LOG.log(Level.DEBUG, "Operation {0}: {1}", run.id, failure.getMessage());
      return Optional.of(failure);
    } catch (DatabaseException outage) {
      if (outage instanceof InterruptedOperationException) {
        throw outage;
      }
      return Optional.of(
          new PartitionException(Reason.BUSY, "The store: " + outage.getMessage(), outage));
    } finally {
      if (limited) {
        room.release();
      }
    }
  }

  private void carryOut(Run run) {
    run.settle();
    switch (run.row().kind()) {
      case SPLIT -> SplitSteps.attempt(run);
      case MERGE -> MergeSteps.attempt(run);
      case MIGRATE -> MoveSteps.attempt(run, run.row().node().orElseThrow());
      case FAILOVER -> MoveSteps.attempt(run, target(run));
      case DRAIN -> DrainSteps.attempt(run, this);
      case ENSURE_TYPE ->
          throw new PartitionException(Reason.INVALID, "A type is ensured in one step");
    }
  }

  private String target(Run run) {
    if (run.isFlipped()) {
      return run.owner(run.partition()).node();
    }
    return run.row()
        .node()
        .or(() -> chosen(run))
        .orElseThrow(
            () ->
                new PartitionException(
                    Reason.BUSY,
                    "Partition %s has nowhere to go: no node is active"
                        .formatted(run.partition())));
  }

  /** A node that has not refused the partition; once all have, each is asked again. */
  private Optional<String> chosen(Run run) {
    return targets
        .choose(run.partition(), run.refusedBy(run.partition()))
        .or(
            () -> {
              run.forgetRefusals(run.partition());
              return targets.choose(run.partition(), Set.of());
            });
  }

  private static boolean isPermanent(Run run, PartitionException failure) {
    boolean chosenByMe = run.row().kind() == Kind.FAILOVER && run.row().node().isEmpty();
    return switch (failure.reason()) {
      case INVALID, NOT_FOUND, FAILED, CORRUPT -> true;
      case REFUSED -> !chosenByMe || run.isFlipped();
      default -> false;
    };
  }

  /**
   * After the flip there is no way back: the operation is done, and the reconciler does the rest.
   */
  private void giveUp(Run run, PartitionException failure) {
    run.end(Status.FAILED, Optional.of(failure.getMessage()), tx -> takeBack(tx, run.row()));
    count(run.row());
    letGoOn(run);
  }

  private void count(OperationRow row) {
    metrics.operationEnded(
        row.kind().name().toLowerCase(Locale.ROOT),
        PartitionOperation.State.valueOf(row.status().name()),
        Duration.ofNanos(Math.max(0, row.changedAt() - row.createdAt()) * 1_000));
  }

  private void takeBack(Rows tx, OperationRow row) {
    if (row.kind() == Kind.DRAIN) {
      rows.states().undrain(tx, row.node().orElseThrow());
    }
  }

  /** Ends the holds of servers; they would end by themselves, a little later. */
  private void letGoOn(Run run) {
    for (Optional<String> partition : List.of(run.row().partition(), run.row().other())) {
      try {
        partition.ifPresent(p -> run.ownerHost(run.owner(p)).resume(p));
      } catch (PartitionException unreachable) {
        LOG.log(Level.DEBUG, "A server does not answer: {0}", unreachable.getMessage());
      }
    }
  }

  /** Ends an operation that has not taken effect. */
  public OperationRow cancel(String id) {
    Run run =
        new Run(
            id, term.read(control -> rows.operations().require(control, id)), term, rows, hosts);
    run.end(Status.CANCELLED, Optional.of("cancelled"), tx -> takeBack(tx, run.row()));
    count(run.row());
    tellEnd();
    letGoOn(run);
    return run.row();
  }

  /** The operation when it has ended, or as it is when {@code patience} is over. */
  public OperationRow await(String id, Duration patience) {
    long deadline = term.database().time().nanos() + patience.toNanos();
    while (true) {
      long seen = endings.get();
      OperationRow row = term.read(control -> rows.operations().require(control, id));
      long left = deadline - term.database().time().nanos();
      if (row.status().isFinal() || left <= 0) {
        return row;
      }
      awaitEnding(seen, Math.min(left, LOOK.toNanos()));
    }
  }

  private void awaitEnding(long seen, long nanos) {
    try {
      ending.lockInterruptibly();
      try {
        long left = nanos;
        while (endings.get() == seen && left > 0) {
          left = ended.awaitNanos(left);
        }
      } finally {
        ending.unlock();
      }
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted while waiting for the end", interrupt);
    }
  }

  private void tellEnd() {
    ending.lock();
    try {
      endings.incrementAndGet();
      ended.signalAll();
    } finally {
      ending.unlock();
    }
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** Stops; operations under way are left as they are. */
  @Override
  public void close() {
    closed = true;
    List<Thread> threads = List.copyOf(running.values());
    threads.forEach(Thread::interrupt);
    Threads.awaitEnd(threads);
  }
}
