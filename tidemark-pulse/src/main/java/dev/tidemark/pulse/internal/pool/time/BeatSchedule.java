package dev.tidemark.pulse.internal.pool.time;

import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.pulse.internal.common.OpenHandles;
import dev.tidemark.pulse.internal.pool.member.PoolCore;
import dev.tidemark.pulse.internal.pool.rows.PoolKeys;
import dev.tidemark.pulse.pool.Planner;
import dev.tidemark.pulse.pool.PoolClient;
import dev.tidemark.pulse.pool.Schedule;
import java.time.Duration;
import java.util.Objects;

/** A schedule over a beat that nodes share: the node that takes the beat makes the plan. */
public final class BeatSchedule implements Schedule, OpenHandles.Handle {
  private static final Duration CLOSING = Duration.ofSeconds(1);
  private static final Duration ROUND = Duration.ofMinutes(1);

  private final PoolCore core;
  private final String name;
  private final Planner planner;
  private final PlannedJobs jobs;
  private final SharedBeat beat;
  private final OpenHandles handles;
  private final Thread thread;

  private BeatSchedule(
      PoolCore core,
      PoolClient client,
      String name,
      Duration interval,
      Planner planner,
      OpenHandles handles) {
    this.core = core;
    this.name = name;
    this.planner = planner;
    this.jobs = new PlannedJobs(core, client, name);
    this.handles = handles;
    this.beat = new SharedBeat(core, PoolKeys.SCHEDULES.append(name), interval, true);
    this.thread = Thread.ofVirtual().name("pulse-schedule-" + name).unstarted(this::run);
  }

  /** Joins a schedule; a plan that is due has been made when this returns. */
  public static BeatSchedule start(
      PoolCore core,
      PoolClient client,
      String name,
      Duration interval,
      Planner planner,
      OpenHandles handles) {
    BeatSchedule schedule = new BeatSchedule(core, client, name, interval, planner, handles);
    try {
      if (schedule.beat.awaitAny(Duration.ZERO).isPresent()) {
        schedule.plan();
      }
    } catch (InterruptedOperationException interrupt) {
      schedule.close();
      throw interrupt;
    }
    schedule.thread.start();
    return schedule;
  }

  private void run() {
    try {
      while (!beat.isEnded()) {
        round();
      }
    } finally {
      handles.remove(this);
    }
  }

  private void round() {
    try {
      if (beat.awaitAny(ROUND).isPresent()) {
        plan();
      }
    } catch (InterruptedOperationException interrupt) {
      Thread.interrupted(); // close, which the loop looks for; or the planner left it behind
    }
  }

  private void plan() {
    try {
      Planner.Plan plan =
          Objects.requireNonNull(planner.plan(), "The plan is null; Plan.NOTHING changes nothing");
      jobs.carryOut(plan);
      if (plan.last()) {
        end();
      }
    } catch (Throwable failure) {
      if (beat.isEnded() && isInterrupt(failure)) {
        return;
      }
      core.report("The schedule %s could not make or carry out a plan".formatted(name), failure);
    }
  }

  private static boolean isInterrupt(Throwable failure) {
    return failure instanceof InterruptedException
        || failure instanceof InterruptedOperationException;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isEnded() {
    return beat.isEnded();
  }

  private void end() {
    beat.stop();
    jobs.forgetAll();
  }

  @Override
  public void stop() {
    end();
    close();
  }

  @Override
  public void close() {
    beat.close();
    handles.remove(this);
    if (Thread.currentThread().equals(thread) || !thread.isAlive()) {
      return;
    }
    thread.interrupt();
    try {
      thread.join(CLOSING);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }
}
