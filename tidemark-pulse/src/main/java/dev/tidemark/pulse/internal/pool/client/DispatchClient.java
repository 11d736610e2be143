package dev.tidemark.pulse.internal.pool.client;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.internal.common.OpenHandles;
import dev.tidemark.pulse.internal.pool.member.PoolCore;
import dev.tidemark.pulse.internal.pool.member.PoolCounts;
import dev.tidemark.pulse.internal.pool.rows.Crons;
import dev.tidemark.pulse.internal.pool.rows.Dispatching;
import dev.tidemark.pulse.internal.pool.rows.JobMail;
import dev.tidemark.pulse.internal.pool.rows.JobOutcomes;
import dev.tidemark.pulse.internal.pool.rows.JobRow;
import dev.tidemark.pulse.internal.pool.rows.JobState;
import dev.tidemark.pulse.internal.pool.rows.JobTable;
import dev.tidemark.pulse.internal.pool.rows.KeyMessages;
import dev.tidemark.pulse.internal.pool.rows.Membership;
import dev.tidemark.pulse.internal.pool.rows.PoolKeys;
import dev.tidemark.pulse.internal.pool.rows.Reply;
import dev.tidemark.pulse.internal.pool.rows.Waiter;
import dev.tidemark.pulse.internal.pool.rows.WorkerSlots;
import dev.tidemark.pulse.pool.ConflictingDispatchException;
import dev.tidemark.pulse.pool.DispatchOptions;
import dev.tidemark.pulse.pool.DispatchTimeoutException;
import dev.tidemark.pulse.pool.JobExistsException;
import dev.tidemark.pulse.pool.JobFailedException;
import dev.tidemark.pulse.pool.JobInfo;
import dev.tidemark.pulse.pool.PoolClient;
import dev.tidemark.pulse.pool.PoolClosedException;
import dev.tidemark.pulse.pool.PoolException;
import dev.tidemark.pulse.pool.PoolFullException;
import dev.tidemark.pulse.pool.RetryPolicy;
import dev.tidemark.pulse.pool.WorkerInfo;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Gives work to a pool over whatever a {@link RowStore} offers. */
public class DispatchClient implements PoolClient, OpenHandles.Handle {
  private static final int KEY_LENGTH_MAX = 512;
  private static final int PAYLOAD_BYTES_MAX = 90_000;
  private static final int PAGE = 1_000;
  private static final String NO_KEY = "A key is null";

  public final PoolCore core;
  private final PendingReplies replies;
  private final OpenHandles handles;
  private final AtomicLong letters = new AtomicLong();
  private volatile boolean closed;

  public DispatchClient(PoolCore core, OpenHandles handles) {
    this.core = core;
    this.handles = handles;
    this.replies = new PendingReplies(core);
  }

  @Override
  public String name() {
    return core.name();
  }

  private void checkOpen() {
    if (closed) {
      throw Membership.closed("This member of the pool " + name());
    }
  }

  /** Passes if new work may come through this member. */
  public void checkTakesWork() {
    checkOpen();
  }

  @Override
  public void dispatch(String key, byte[] payload, UnaryOperator<DispatchOptions> options) {
    DispatchOptions chosen = chosen(options);
    check(key, payload);
    Long due = due(chosen);
    if (due != null) {
      take(new Dispatching.Request(key, payload, due, retry(chosen), null, null, 0));
      return;
    }
    Waiter waiter = replies.ask();
    try {
      take(new Dispatching.Request(key, payload, null, retry(chosen), waiter, null, 0));
      awaitStart(key, waiter);
    } finally {
      replies.forget(waiter);
    }
  }

  @Override
  public void dispatch(
      Transaction tx, String key, byte[] payload, UnaryOperator<DispatchOptions> options) {
    Objects.requireNonNull(tx, "The transaction is null; without one, call dispatch without it");
    DispatchOptions chosen = chosen(options);
    check(key, payload);
    Dispatching.Request request =
        new Dispatching.Request(key, payload, due(chosen), retry(chosen), null, null, 0);
    Dispatching.dispatch(core.rows().in(tx), request, core.config(), core.now());
  }

  private static DispatchOptions chosen(UnaryOperator<DispatchOptions> options) {
    Objects.requireNonNull(options, "The change of the options is null; give o -> o for none");
    return Objects.requireNonNull(
        options.apply(DispatchOptions.DEFAULTS), "The change of the options gives null");
  }

  @Override
  public void dispatchOnce(String id, String key, byte[] payload) {
    checkKey("An id", id);
    check(key, payload);
    long keep = core.options().resultsFor().toMillis();
    Waiter waiter = replies.ask();
    try {
      Optional<JobOutcomes.Once> known =
          take(
              new Dispatching.Request(
                  key, payload, null, core.options().retry(), waiter, id, keep));
      if (known.isPresent()) {
        settle(key, waiter, known.get().success(), known.get().text());
      } else {
        awaitOnce(id, key, waiter);
      }
    } finally {
      replies.forget(waiter);
    }
  }

  private Optional<JobOutcomes.Once> take(Dispatching.Request request) {
    long now = core.now();
    try {
      Optional<JobOutcomes.Once> known =
          core.rows().transact(rows -> Dispatching.dispatch(rows, request, core.config(), now));
      core.counts().add(PoolCounts.What.DISPATCHED);
      return known;
    } catch (JobExistsException | PoolFullException | ConflictingDispatchException refused) {
      core.counts().add(PoolCounts.What.REFUSED);
      throw refused;
    }
  }

  private @Nullable Long due(DispatchOptions options) {
    Duration delay = options.delay().orElse(null);
    if (delay != null) {
      return core.now() + delay.toMillis();
    }
    Instant at = options.at().orElse(null);
    return at == null ? null : (Long) at.toEpochMilli();
  }

  private RetryPolicy retry(DispatchOptions options) {
    RetryPolicy own = options.retry().orElse(null);
    return own == null ? core.options().retry() : own;
  }

  private void awaitStart(String key, Waiter waiter) {
    Reply reply =
        replies
            .await(waiter, core.options().dispatchTimeout())
            .or(() -> giveUp(key, waiter))
            .orElseThrow(() -> notStarted(key));
    settle(key, waiter, reply.success(), reply.text());
  }

  /** Somebody else with the same id may be told instead; then what is remembered tells. */
  private void awaitOnce(String id, String key, Waiter waiter) {
    long end = core.nanos() + core.options().dispatchTimeout().toNanos();
    Optional<Reply> reply = Optional.empty();
    Optional<JobOutcomes.Once> known = Optional.empty();
    while (reply.isEmpty() && known.isEmpty() && !closed && core.nanos() - end < 0) {
      long left = Math.min(end - core.nanos(), PendingReplies.LOOK_EVERY.toNanos());
      reply = replies.await(waiter, Duration.ofNanos(left));
      known = reply.isPresent() ? known : outcome(id);
    }
    if (known.isPresent()) {
      settle(key, waiter, known.get().success(), known.get().text());
    } else {
      Reply last = reply.or(() -> giveUp(key, waiter)).orElseThrow(() -> notStarted(key));
      settle(key, waiter, last.success(), last.text());
    }
  }

  /** A store that fails now may tell at the next look. */
  private Optional<JobOutcomes.Once> outcome(String id) {
    try {
      return core.rows().read(rows -> JobOutcomes.outcome(rows, id));
    } catch (InterruptedOperationException interrupt) {
      throw interrupt;
    } catch (RuntimeException failure) {
      return Optional.empty();
    }
  }

  private PoolException notStarted(String key) {
    return closed
        ? new PoolClosedException(
            "This member of the pool %s was closed before a worker started the job %s; the pool has taken the job and keeps it"
                .formatted(name(), key))
        : new DispatchTimeoutException(
            ("The pool has taken the job %s, and no worker started it within %s "
                    + "(PoolOptions.dispatchTimeout). It keeps the job; ask job(key)")
                .formatted(key, core.options().dispatchTimeout()));
  }

  /** Waits no more, so that a later failure is kept; the answer, should there be one by now. */
  private Optional<Reply> giveUp(String key, Waiter waiter) {
    try {
      return core.rows().transact(rows -> JobOutcomes.giveUp(rows, key, waiter));
    } catch (RuntimeException failure) {
      core.report("The pool still believes that somebody waits for the job " + key, failure);
      return Optional.empty();
    }
  }

  /** Whoever hears of a failure takes the job away, which was kept for that long. */
  private void settle(String key, Waiter waiter, boolean success, String text) {
    if (!success) {
      takeAway(key, waiter);
      throw new JobFailedException("The job %s was not started".formatted(key), text);
    }
  }

  private void takeAway(String key, Waiter waiter) {
    try {
      core.rows()
          .transact(
              rows -> {
                JobOutcomes.heardFailure(rows, key, waiter);
                return key;
              });
    } catch (RuntimeException failure) {
      core.report(
          "The job %s could not be started and stays as a dead one".formatted(key), failure);
    }
  }

  private void check(String key, byte[] payload) {
    checkTakesWork();
    checkKey("A key", key);
    checkPayload(payload);
  }

  public static void checkKey(String what, String key) {
    Objects.requireNonNull(key, what + " is null");
    if (key.isEmpty() || key.length() > KEY_LENGTH_MAX || KeyMessages.isBox(key)) {
      throw new IllegalArgumentException(
          "%s has 1 to %d characters, the first of them not NUL; this one has %,d"
              .formatted(what, KEY_LENGTH_MAX, key.length()));
    }
  }

  public static void checkPayload(byte[] payload) {
    Objects.requireNonNull(payload, "The payload is null; an empty array is allowed");
    if (payload.length > PAYLOAD_BYTES_MAX) {
      throw new IllegalArgumentException(
          "The payload has %,d bytes; at most %,d are allowed. Store it and send its key"
              .formatted(payload.length, PAYLOAD_BYTES_MAX));
    }
  }

  private JobMail.Stamp stamp() {
    return new JobMail.Stamp(core.now(), replies.client(), letters.incrementAndGet());
  }

  @Override
  public void send(String key, byte[] payload) {
    check(key, payload);
    JobMail.Stamp stamp = stamp();
    core.rows()
        .transact(
            rows -> {
              KeyMessages.send(rows, key, payload, core.config(), stamp);
              return key;
            });
  }

  @Override
  public boolean stop(String key) {
    checkOpen();
    checkKey("A key", key);
    Waiter waiter = replies.ask();
    JobMail.Stamp stamp = stamp();
    try {
      return switch (core.rows().transact(rows -> JobMail.stop(rows, key, waiter, stamp))) {
        case NO_JOB -> false;
        case FORGOTTEN -> true;
        case LEFT_WITH_OWNER -> awaitStop(key, waiter);
      };
    } finally {
      replies.forget(waiter);
    }
  }

  private boolean awaitStop(String key, Waiter waiter) {
    Reply reply =
        replies.await(waiter, core.options().dispatchTimeout()).orElseThrow(() -> notStopped(key));
    if (!reply.success()) {
      throw new JobFailedException("The job %s could not be stopped".formatted(key), reply.text());
    }
    return true;
  }

  private PoolException notStopped(String key) {
    String asked = "The worker of the job %s was asked to stop it, and will; ".formatted(key);
    return closed
        ? new PoolClosedException(asked + "this member of the pool was closed before it had")
        : new DispatchTimeoutException(
            asked
                + "it has not within %s (PoolOptions.dispatchTimeout)"
                    .formatted(core.options().dispatchTimeout()));
  }

  @Override
  public boolean notifyJob(String key, byte[] payload) {
    checkOpen();
    checkKey("A key", key);
    checkPayload(payload);
    JobMail.Stamp stamp = stamp();
    return core.rows().transact(rows -> JobMail.notify(rows, key, payload, stamp));
  }

  @Override
  public List<String> jobKeys() {
    List<String> keys = new ArrayList<>();
    forEach(
        PoolKeys.JOBS,
        (key, value) -> {
          if (!KeyMessages.isBox(key) && !(JobRow.decode(value).state() instanceof JobState.Dead)) {
            keys.add(key);
          }
        });
    return keys;
  }

  @Override
  public Optional<byte[]> jobPayload(String key) {
    checkOpen();
    Objects.requireNonNull(key, NO_KEY);
    return core.rows().read(rows -> rows.get(PoolKeys.payload(key)));
  }

  @Override
  public Optional<JobInfo> job(String key) {
    checkOpen();
    Objects.requireNonNull(key, NO_KEY);
    return core.rows().read(rows -> JobTable.get(rows, key)).map(job -> job.info(key));
  }

  @Override
  public List<WorkerInfo> workers() {
    checkOpen();
    WorkerSlots slots = core.rows().read(Dispatching::slots);
    List<WorkerInfo> workers = new ArrayList<>();
    for (int slot = 0; slot < slots.slots().size(); slot++) {
      String worker = slots.slots().get(slot);
      if (worker != null) {
        workers.add(new WorkerInfo(worker, PoolKeys.nodeOf(worker), slot));
      }
    }
    return workers;
  }

  @Override
  public List<JobInfo> deadJobs() {
    List<JobInfo> dead = new ArrayList<>();
    forEach(
        PoolKeys.DEAD,
        (key, nothing) ->
            core.rows()
                .read(rows -> JobTable.get(rows, key))
                .filter(job -> job.state() instanceof JobState.Dead)
                .ifPresent(job -> dead.add(job.info(key))));
    return dead;
  }

  /** All rows of a table, page by page: a long one takes longer than a transaction may. */
  private void forEach(Tuple table, BiConsumer<String, byte[]> row) {
    checkOpen();
    Tuple after = table;
    List<Rows.Row> page;
    do {
      Tuple from = after;
      page = core.rows().read(rows -> rows.peek(table, from, PAGE));
      page.forEach(found -> row.accept(PoolKeys.last(found.key()), found.value()));
      after = page.isEmpty() ? after : page.getLast().key();
    } while (page.size() == PAGE);
  }

  @Override
  public boolean replay(String key) {
    checkTakesWork();
    Objects.requireNonNull(key, NO_KEY);
    return core.rows().transact(rows -> Dispatching.replay(rows, key));
  }

  @Override
  public void cron(String name, String cron, ZoneId zone, String key, byte[] payload) {
    checkKey("The name of a cron schedule", name);
    check(key, payload);
    Objects.requireNonNull(cron, "The cron expression is null");
    Objects.requireNonNull(zone, "The zone is null; ZoneOffset.UTC is one");
    long next =
        Crons.next(cron, zone, core.now())
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "The cron expression '%s' names no time that ever comes".formatted(cron)));
    Crons.CronRow row = new Crons.CronRow(cron, zone.getId(), key, payload, next);
    core.rows()
        .transact(
            rows -> {
              Dispatching.checkOpen(rows);
              Crons.put(rows, name, row);
              return name;
            });
  }

  @Override
  public boolean removeCron(String name) {
    checkOpen();
    Objects.requireNonNull(name, "The name of a cron schedule is null");
    return core.rows().transact(rows -> Crons.remove(rows, name));
  }

  @Override
  public List<String> crons() {
    List<String> names = new ArrayList<>();
    forEach(PoolKeys.CRONS, (name, row) -> names.add(name));
    return names;
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closeClient();
  }

  public final void closeClient() {
    closed = true;
    replies.close();
    core.rows().close();
    handles.remove(this);
  }
}
