package dev.tidemark.partitions.internal.manager;

import dev.tidemark.coordination.FencedException;
import dev.tidemark.coordination.Threads;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.TimeSource;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Does a step again and again until it is closed or the leader's term is over. A step that fails,
 * by an exception or an error, is logged and done again after the pause.
 */
final class Loop implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.partitions");

  private final String name;
  private final TimeSource time;
  private final Supplier<Duration> pause;
  private final Step step;
  private final Thread thread;
  private volatile boolean closed;

  /** What is done. */
  interface Step {
    void run() throws InterruptedException;
  }

  Loop(String name, TimeSource time, Supplier<Duration> pause, Step step) {
    this.name = name;
    this.time = time;
    this.pause = pause;
    this.step = step;
    this.thread = Thread.ofVirtual().name(name).unstarted(this::run);
  }

  Loop start() {
    thread.start();
    return this;
  }

  private void run() {
    while (!closed) {
      try {
        once();
        time.sleep(pause.get());
      } catch (InterruptedException | InterruptedOperationException | FencedException over) {
        return;
      }
    }
  }

  private void once() throws InterruptedException {
    try {
      step.run();
    } catch (InterruptedException | InterruptedOperationException | FencedException over) {
      throw over;
    } catch (Throwable failure) {
      if (!closed) {
        LOG.log(Level.WARNING, name + " goes on after a failure", failure);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    Threads.end(thread);
  }
}
