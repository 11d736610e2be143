package dev.tidemark.pulse.internal.pool.time;

import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.internal.pool.client.DispatchClient;
import dev.tidemark.pulse.internal.pool.member.PoolCore;
import dev.tidemark.pulse.internal.pool.rows.Dispatching;
import dev.tidemark.pulse.internal.pool.rows.JobTable;
import dev.tidemark.pulse.internal.pool.rows.PoolKeys;
import dev.tidemark.pulse.pool.JobExistsException;
import dev.tidemark.pulse.pool.Planner.Plan;
import dev.tidemark.pulse.pool.PoolClient;
import dev.tidemark.pulse.pool.PoolException;
import java.util.ArrayList;
import java.util.List;

/** The jobs that a schedule has started, which the store knows, and how a plan is carried out. */
final class PlannedJobs {
  private static final int PAGE = 256;
  private static final byte[] NOTHING = {};

  private final PoolCore core;
  private final PoolClient client;
  private final String schedule;
  private final Tuple table;

  PlannedJobs(PoolCore core, PoolClient client, String schedule) {
    this.core = core;
    this.client = client;
    this.schedule = schedule;
    this.table = PoolKeys.PLANNED.append(schedule);
  }

  /** Stops and starts what {@code plan} says; what cannot be done is reported. */
  void carryOut(Plan plan) {
    forgetThoseThatEnded();
    for (String key : toStop(plan)) {
      stop(key);
    }
    plan.start().forEach(this::start);
  }

  private List<String> toStop(Plan plan) {
    if (!plan.stopOthers()) {
      return plan.stop();
    }
    List<String> others = new ArrayList<>(keys());
    others.removeAll(plan.start().keySet());
    return others;
  }

  /** The keys of the jobs that the schedule has started, page by page. */
  private List<String> keys() {
    List<String> keys = new ArrayList<>();
    Tuple after = table;
    List<Rows.Row> page;
    do {
      Tuple from = after;
      page = core.rows().read(rows -> rows.peek(table, from, PAGE));
      keys.addAll(Dispatching.keys(page));
      after = page.isEmpty() ? after : page.getLast().key();
    } while (page.size() == PAGE);
    return keys;
  }

  private void forgetThoseThatEnded() {
    for (String key : keys()) {
      if (core.rows().read(rows -> JobTable.get(rows, key)).isEmpty()) {
        core.rows().transact(rows -> forgetIfEnded(rows, key));
      }
    }
  }

  private boolean forgetIfEnded(Rows rows, String key) {
    boolean ended = JobTable.get(rows, key).isEmpty();
    if (ended) {
      rows.clear(table.append(key));
    }
    return ended;
  }

  private void stop(String key) {
    try {
      client.stop(key);
      core.rows().transact(rows -> forgetIfEnded(rows, key));
    } catch (PoolException | IllegalArgumentException failure) {
      core.report("The schedule %s could not stop the job %s".formatted(schedule, key), failure);
    }
  }

  private void start(String key, byte[] payload) {
    long now = core.now();
    Dispatching.Request request =
        new Dispatching.Request(key, payload, null, core.options().retry(), null, null, 0);
    try {
      DispatchClient.checkKey("A key", key);
      DispatchClient.checkPayload(payload);
      core.rows()
          .transact(
              rows -> {
                rows.set(table.append(key), NOTHING);
                return Dispatching.dispatch(rows, request, core.config(), now);
              });
    } catch (JobExistsException there) {
      // It stays, as a plan says.
    } catch (PoolException | IllegalArgumentException failure) {
      core.report("The schedule %s could not start the job %s".formatted(schedule, key), failure);
    }
  }

  /** Forgets which jobs the schedule has started. */
  void forgetAll() {
    core.rows()
        .transact(
            rows -> {
              rows.clearAll(table);
              return table;
            });
  }
}
