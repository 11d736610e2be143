/**
 * A partition manager at work: it stands for election, and while it leads it admits and expires
 * nodes, keeps every partition owned, follows the policy and carries operations out. Calls come in
 * from clients, operators and servers by gRPC; a standby answers reads and pushes routing tables
 * too. Only {@code PartitionManager} opens what is here.
 */
@NullMarked
package dev.tidemark.partitions.internal.manager;

import org.jspecify.annotations.NullMarked;
