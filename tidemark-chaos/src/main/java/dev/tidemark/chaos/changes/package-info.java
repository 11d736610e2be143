/**
 * {@code chaos changes}: processes that share the reading of a change stream are killed and paused
 * while partitions split and merge. Each reader stores what it saw in the transaction of its
 * progress; at the end every change must be there once and in order. Only the command calls it.
 */
@NullMarked
package dev.tidemark.chaos.changes;

import org.jspecify.annotations.NullMarked;
