package dev.tidemark.partitions.internal.engine;

import dev.tidemark.kv.TimeSource;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** Looks for idle actors and for logs that are due for a checkpoint, from time to time. */
final class Housekeeping implements AutoCloseable {
  private final ConcurrentHashMap<String, PartitionCell> cells;
  private final Activation activation;
  private final EngineOptions options;
  private final TimeSource time;
  private final Thread thread;
  private volatile boolean closed;

  Housekeeping(
      ConcurrentHashMap<String, PartitionCell> cells,
      Activation activation,
      EngineOptions options,
      TimeSource time) {
    this.cells = cells;
    this.activation = activation;
    this.options = options;
    this.time = time;
    this.thread = Thread.ofVirtual().name("tidemark-partitions-housekeeping").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    while (!closed) {
      try {
        time.sleep(options.residence().sweep());
        sweep();
      } catch (InterruptedException closing) {
        return;
      } catch (Throwable failure) {
        Failures.report("Looking for idle actors failed; it goes on", failure);
      }
    }
  }

  /** Evicts what is idle, and writes checkpoints that are due. */
  void sweep() {
    activation.dropOldWarm(options.residence().warm());
    long quietSince = time.nanos() - options.residence().idle().toNanos();
    for (PartitionCell cell : List.copyOf(cells.values())) {
      ActiveActor active = cell.active();
      if (cell.lastCallNanos() - quietSince <= 0) {
        cell.closeIfIdle(quietSince, this::fallAsleep);
      } else if (active != null && active.isLogOld()) {
        Activation.checkpoint(cell);
      }
    }
  }

  private boolean fallAsleep(ActiveActor actor) throws Exception {
    try {
      return Checkpoints.writeNow(actor);
    } finally {
      activation.sleeps(actor);
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
