/**
 * Partitioned actors: a stateful service written as a single-threaded actor, whose partitions are
 * split, merged, moved and recovered over nodes.
 */
@NullMarked
package dev.tidemark.partitions;

import org.jspecify.annotations.NullMarked;
