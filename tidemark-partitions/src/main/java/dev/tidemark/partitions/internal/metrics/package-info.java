/**
 * Counts what happens and passes it on. Manager, server and client each have one {@code
 * CountedMetrics}; it sums up for their statistics and tells the metrics that the options name. The
 * callers are their services and operation runners; nothing here calls back into them.
 */
@NullMarked
package dev.tidemark.partitions.internal.metrics;

import org.jspecify.annotations.NullMarked;
