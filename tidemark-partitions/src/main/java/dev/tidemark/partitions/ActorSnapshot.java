package dev.tidemark.partitions;

import java.io.IOException;
import java.io.OutputStream;

/** A state that no longer changes, whatever the actor does. */
@FunctionalInterface
public interface ActorSnapshot {
  /**
   * Writes what the state has of the keys in {@code range}, in the form that {@link Actor#load}
   * reads.
   */
  void export(PartitionRange range, OutputStream out) throws IOException;
}
