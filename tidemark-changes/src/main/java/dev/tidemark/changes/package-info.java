/**
 * Readers of change streams: partitions with tokens, splits and merges, heartbeats, watermarks,
 * acknowledgements out of order.
 */
@NullMarked
package dev.tidemark.changes;

import org.jspecify.annotations.NullMarked;
