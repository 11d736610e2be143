package dev.tidemark.partitions.internal.operations;

import dev.tidemark.partitions.internal.engine.PartitionHost;
import dev.tidemark.partitions.internal.store.NodeRow;

/** How a manager reaches the servers. Every call through a host has a deadline of its own. */
public interface Hosts {
  /** The server that runs at the address of {@code row}; nothing is sent yet. */
  PartitionHost host(String node, NodeRow row);

  /** Whether this incarnation of the node answers at its address. */
  boolean answers(String node, NodeRow row);
}
