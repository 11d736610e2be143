package dev.tidemark.partitions.internal.operations;

import dev.tidemark.partitions.internal.engine.PartitionHost;
import dev.tidemark.partitions.internal.store.NodeRow;
import java.util.Optional;
import java.util.Set;

/** How a manager reaches the servers. Every call through a host has a deadline of its own. */
public interface Hosts {
  /** The server that runs at the address of {@code row}; nothing is sent yet. */
  PartitionHost host(String node, NodeRow row);

  /** The actor types of this incarnation of the node, if it answers at its address. */
  Optional<Set<String>> types(String node, NodeRow row);
}
