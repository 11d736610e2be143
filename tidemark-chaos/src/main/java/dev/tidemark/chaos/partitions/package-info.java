/**
 * {@code chaos partitions}: managers and servers are killed and paused while partitions move.
 * Workers add to counters and read them; what they were told must be explained by one order of
 * operations. The store's server comes from {@code pulse}. Only the command calls it.
 */
@NullMarked
package dev.tidemark.chaos.partitions;

import org.jspecify.annotations.NullMarked;
