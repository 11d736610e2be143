package dev.tidemark.partitions.internal.manager;

import dev.tidemark.coordination.FencedException;
import dev.tidemark.coordination.Leadership;
import dev.tidemark.coordination.Loop;
import dev.tidemark.coordination.Threads;
import dev.tidemark.kv.TimeSource;
import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * Repeats one step of a leader's work, with a pause in between, until it is closed or the term is
 * over. A step that fails is logged and tried again. A leader whose steps meet only errors gives up
 * its term, so that another manager does the work.
 */
final class TermLoop implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.partitions");

  private final String name;
  private final TimeSource time;
  private final Leadership leadership;
  private final Duration pause;
  private final Step step;
  private final Thread thread;
  private volatile boolean over;

  /** What is done. */
  interface Step {
    void run() throws InterruptedException;
  }

  TermLoop(String name, TimeSource time, Leadership leadership, Duration pause, Step step) {
    this.name = name;
    this.time = time;
    this.leadership = leadership;
    this.pause = pause;
    this.step = step;
    this.thread =
        Thread.ofVirtual()
            .name(name)
            .unstarted(new Loop(time, () -> over, this::round, this::failed));
  }

  TermLoop start() {
    thread.start();
    return this;
  }

  private void round() throws InterruptedException {
    try {
      step.run();
      time.sleep(pause);
    } catch (FencedException anotherLeads) {
      over = true;
    }
  }

  private Duration failed(Throwable failure, int inARow) {
    LOG.log(Level.WARNING, name + " goes on after a failure", failure);
    if (Loop.isHopeless(failure, inARow)) {
      leadership.giveUp();
    }
    return pause;
  }

  boolean isAlive() {
    return thread.isAlive();
  }

  @Override
  public void close() {
    over = true;
    Threads.end(thread);
  }
}
