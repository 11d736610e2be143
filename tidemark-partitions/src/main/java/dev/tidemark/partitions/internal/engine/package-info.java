/**
 * Runs actors: a mailbox and a thread for each active one, group commit of its log, checkpoints,
 * activation on demand and eviction when idle. Requests come in from the server's gRPC services or
 * from a caller in the same process; answers go out when everything they saw is durable. {@link
 * dev.tidemark.partitions.internal.engine.PartitionHost} is what the manager asks of a server. The
 * log of the room beside it is the only way to the store.
 */
@NullMarked
package dev.tidemark.partitions.internal.engine;

import org.jspecify.annotations.NullMarked;
