package dev.tidemark.partitions.internal.engine;

import dev.tidemark.partitions.internal.log.Loaded;
import dev.tidemark.partitions.internal.log.Tenure;

/**
 * A partition that was loaded before this server became its owner.
 *
 * @param of who owned it then
 * @param instance the state
 * @param loaded how much of it
 * @param nanos when it was loaded
 */
record Warm(Tenure of, Instance instance, Loaded loaded, long nanos) {
  /** Whether the state can go on as that of {@code tenure}. */
  boolean fits(Tenure tenure) {
    return of.type().equals(tenure.type()) && of.range().equals(tenure.range());
  }
}
