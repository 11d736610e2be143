package dev.tidemark.records.internal.work;

import dev.tidemark.kv.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Does some tasks again and again in one virtual thread, one at a time, until it is closed. Pauses
 * vary by a quarter, so that programs which began together do not stay together. After a failure
 * the pause of a task is twice as long as before, up to a limit. A task that did not come to its
 * end goes on after a pause as long as it took. No pause is shorter than what came before it took,
 * but for that quarter, so a task takes about half of the time at most.
 */
public final class Rounds implements AutoCloseable {
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);

  private final TimeSource time;
  private final List<Turns> tasks = new ArrayList<>();
  private final Thread thread;
  private volatile boolean closed;

  /**
   * Something to do now and then.
   *
   * @param every the pause between two times
   * @param pauseMax the longest pause after failures
   * @param work what to do
   * @param failures told of a failure, and how long the pause after it is
   */
  public record Task(Duration every, Duration pauseMax, Work work, Failures failures) {}

  /** What to do. */
  @FunctionalInterface
  public interface Work {
    /**
     * Does it, or a part of it, and answers whether it came to its end. Ends soon if {@code rounds}
     * are closed.
     */
    boolean run(Rounds rounds);
  }

  /** Told of failures. */
  @FunctionalInterface
  public interface Failures {
    /** {@code failure} ended the work, which is done again after {@code pause}. */
    void failed(Throwable failure, Duration pause);
  }

  /** When a task is due. Belongs to the thread. */
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

  /** Starts to do {@code tasks}, each for the first time after its pause. */
  public static Rounds start(TimeSource time, List<Task> tasks, String name) {
    Rounds rounds = new Rounds(time, tasks, name);
    rounds.thread.start();
    return rounds;
  }

  private static long varied(Duration pause) {
    return (long) (pause.toNanos() * ThreadLocalRandom.current().nextDouble(0.75, 1.25));
  }

  private void run() {
    if (tasks.isEmpty()) {
      return;
    }
    while (!closed) {
      Turns next = tasks.stream().min(Comparator.comparingLong(each -> each.dueNanos)).get();
      try {
        time.sleep(Duration.ofNanos(Math.max(0, next.dueNanos - time.nanos())));
        Duration pause = take(next);
        next.dueNanos = time.nanos() + varied(pause);
      } catch (InterruptedException interrupt) {
        // The close, which the loop looks for; or a listener left its thread interrupted.
      }
    }
  }

  /** Does a task and answers how long the pause behind it is. Errors too end only this turn. */
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
      // Nobody else is to be told; the work goes on.
    }
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /** Whether the work should end soon. */
  public boolean isClosed() {
    return closed;
  }

  /**
   * Interrupts what is being done and waits until it has ended; from within a task it does not
   * wait. After ten seconds, or if the caller is interrupted, it waits no longer: the task that is
   * under way may then still run, until it notices, and none comes after it. The caller stays
   * interrupted.
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
