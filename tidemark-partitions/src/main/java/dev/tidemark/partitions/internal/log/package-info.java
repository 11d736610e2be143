/**
 * The log and the checkpoints of a partition in the store. Every append, every checkpoint and every
 * change of phase has the partition's ownership row among its reads, so that none can commit after
 * a hand-over. The engine writes through here; the manager puts into effect what servers have
 * staged. Nothing here knows of actors: entries and states are bytes.
 */
@NullMarked
package dev.tidemark.partitions.internal.log;

import org.jspecify.annotations.NullMarked;
