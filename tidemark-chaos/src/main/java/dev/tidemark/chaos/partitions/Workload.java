package dev.tidemark.chaos.partitions;

import dev.tidemark.chaos.run.Findings;
import dev.tidemark.partitions.PartitionClient;
import java.util.List;

/** Workers that send requests, and what they were told. */
interface Workload {
  /** Begins. */
  void start();

  /** How many requests were answered. */
  long answers();

  /** How many requests had no answer in their time. */
  long givenUp();

  /** Why requests were given up since the last call. */
  List<String> reasons();

  /** What answers were wrong so far. */
  List<String> zombies();

  /** Waits until the workers have ended. */
  void stop() throws InterruptedException;

  /** Compares everything, as {@code reader} sees it, with what the workers were told. */
  void audit(PartitionClient reader, Findings findings);
}
