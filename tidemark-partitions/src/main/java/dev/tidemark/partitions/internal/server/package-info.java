/**
 * A partition server: its port, its membership and its engine. Requests of clients and commands of
 * the manager come in over gRPC; the engine carries them out. The node row, renewed by a heartbeat,
 * says to the manager that this start of the node lives. Only {@link
 * dev.tidemark.partitions.PartitionServer} opens one.
 */
@NullMarked
package dev.tidemark.partitions.internal.server;

import org.jspecify.annotations.NullMarked;
