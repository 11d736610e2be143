package dev.tidemark.records.internal.work;

import dev.tidemark.kv.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Repeats tasks in one virtual thread, one at a time, until it is closed. Pauses have a jitter of a
 * quarter, so that programs that started together spread out. After a failure the pause of a task
 * doubles, up to a limit. An incomplete task continues after a pause as long as it took. Apart from
 * the jitter no pause is shorter than the run before it, so a task takes at most about half of the
 * time.
 */
public final class Rounds implements AutoCloseable {
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);
  private static final double LONGEST_NANOS = Long.MAX_VALUE / 4.0;

  private final TimeSource time;
  private final List<Turns> tasks = new ArrayList<>();
  private final Thread thread;
  private volatile boolean closed;

  /**
   * A recurring task.
   *
   * @param every the pause between two runs
   * @param pauseMax the longest pause after failures
   * @param work the work of a run
   * @param failures gets each failure, with the pause after it
   */
  public record Task(Duration every, Duration pauseMax, Work work, Failures failures) {}

  /** The work of a task. */
  @FunctionalInterface
  public interface Work {
    /**
     * Does the work, or a part of it, and returns whether it is complete. Returns soon if {@code
     * rounds} is closed.
     */
    boolean run(Rounds rounds);
  }

  /** Gets the failures of a task. */
  @FunctionalInterface
  public interface Failures {
    /** {@code failure} ended a run; the next one begins after {@code pause}. */
    void failed(Throwable failure, Duration pause);
  }

  /** The schedule of a task. Used by the thread only. */
  private static final class Turns {
    private final Task task;
    private long dueNanos;
    private int failures;

    Turns(Task task) {
      this.task = task;
    }

    Duration pause() {
      Duration pause = task.every();
      for (int i = 0; i < failures && pause.compareTo(task.pauseMax()) < 0; i++) {
        pause = pause.multipliedBy(2);
      }
      boolean tooLong = failures > 0 && pause.compareTo(task.pauseMax()) > 0;
      return tooLong && task.pauseMax().compareTo(task.every()) > 0 ? task.pauseMax() : pause;
    }
  }

  private Rounds(TimeSource time, List<Task> tasks, String name) {
    this.time = time;
    for (Task task : tasks) {
      Turns turns = new Turns(task);
      turns.dueNanos = time.nanos() + varied(task.every());
      this.tasks.add(turns);
    }
    this.thread = Thread.ofVirtual().name(name).unstarted(this::run);
  }

  /** Starts {@code tasks}, each for the first time after its pause. */
  public static Rounds start(TimeSource time, List<Task> tasks, String name) {
    Rounds rounds = new Rounds(time, tasks, name);
    rounds.thread.start();
    return rounds;
  }

  /** Nanoseconds of {@code pause}, more or less; a pause of centuries stays within a long. */
  private long varied(Duration pause) {
    double nanos = pause.getSeconds() * 1e9 + pause.getNano();
    return (long) Math.min(nanos * (0.75 + time.chance() / 2), LONGEST_NANOS);
  }

  private void run() {
    if (tasks.isEmpty()) {
      return;
    }
    while (!closed) {
      long now = time.nanos();
      Turns next = tasks.stream().min(Comparator.comparingLong(each -> each.dueNanos - now)).get();
      try {
        time.sleep(Duration.ofNanos(Math.max(0, next.dueNanos - time.nanos())));
      } catch (InterruptedException end) {
        return; // Only close interrupts this thread.
      }
      Duration pause = take(next);
      next.dueNanos = time.nanos() + varied(pause);
    }
  }

  /** Runs a task and returns the pause after it. An exception or error ends only this run. */
  private Duration take(Turns turns) {
    long began = time.nanos();
    try {
      boolean complete = turns.task.work().run(this);
      turns.failures = 0;
      Duration took = Duration.ofNanos(time.nanos() - began);
      return complete ? longer(turns.pause(), took) : took;
    } catch (Throwable failure) {
      turns.failures++;
      Duration pause = longer(turns.pause(), Duration.ofNanos(time.nanos() - began));
      if (!closed) {
        tell(turns.task, failure, pause);
      }
      return pause;
    }
  }

  private static void tell(Task task, Throwable failure, Duration pause) {
    try {
      task.failures().failed(failure, pause);
    } catch (Throwable broken) {
      // The listener is broken; the next run does not depend on it.
    }
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /** Whether the running task should end. */
  public boolean isClosed() {
    return closed;
  }

  /**
   * Interrupts the running task and waits until it has ended; a call from within a task does not
   * wait. It waits for at most ten seconds, and no longer if the caller is interrupted, whose
   * interrupt status stays set. The task may then still run until it notices; none starts after it.
   */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    if (Thread.currentThread().equals(thread)) {
      return;
    }
    try {
      thread.join(CLOSE_PATIENCE);
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
  }
}
