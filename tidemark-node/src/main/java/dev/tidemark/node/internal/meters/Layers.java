package dev.tidemark.node.internal.meters;

import dev.tidemark.kv.Database;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.ReplicatedMap;

/**
 * Everything that a run has open; {@link MeterDemo} closes it.
 *
 * @param database the store below all of it
 * @param pulse streams, maps and pools
 * @param settings the map with the threshold
 * @param grid the records
 * @param feed what fills the warehouse
 * @param actors the partitions
 * @param worker the worker in this process
 * @param remote the worker in a process of its own
 */
record Layers(
    Database database,
    Pulse pulse,
    ReplicatedMap<String, String> settings,
    GridStore grid,
    WarehouseFeed feed,
    MeterActors actors,
    Worker worker,
    WorkerProcess remote) {
  /** How far each layer is, when {@code published} readings were published. */
  Progress progress(long published) {
    long loaded = feed.rows();
    int partitions = actors.partitions();
    return database.read(tx -> Progress.of(tx, grid, published, loaded, partitions));
  }
}
