package dev.tidemark.partitions.internal.engine;

import dev.tidemark.partitions.internal.log.Journal.CheckpointSource;
import java.time.Duration;

/** Writes checkpoints. */
final class Checkpoints {
  private static final Duration DURABLE_WITHIN = Duration.ofMinutes(1);

  private Checkpoints() {}

  private record Begun(
      ActiveActor active, CheckpointSource source, long appended, Call<Long> all) {}

  /**
   * Writes a checkpoint while the actor goes on, unless one is being written. Returns when it is
   * written.
   */
  static void write(PartitionCell cell) throws Exception {
    if (!cell.checkpointing.compareAndSet(false, true)) {
      return;
    }
    try {
      Begun[] begun = new Begun[1];
      if (!cell.controlIfActive(
          active -> {
            begun[0] = begin(active);
            return true;
          })) {
        return;
      }
      finish(begun[0]);
    } finally {
      cell.checkpointing.set(false);
    }
  }

  /** Writes one, for whoever has the turn. */
  static boolean writeNow(ActiveActor active) throws Exception {
    if (active.logEntries() > 0) {
      finish(begin(active));
    }
    return true;
  }

  private static Begun begin(ActiveActor active) throws Exception {
    CheckpointSource source = active.source(active.tenure().range());
    return new Begun(active, source, active.appendedBytes(), active.barrier());
  }

  private static void finish(Begun begun) throws Exception {
    begun.all.await(DURABLE_WITHIN, "The log before a checkpoint");
    long bytes = begun.active.journal().checkpoint(begun.source);
    begun.active.checkpointed(begun.source, bytes, begun.appended);
  }
}
