package dev.tidemark.node.internal.meters;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.node.internal.meters.output.Progress;
import dev.tidemark.node.internal.meters.output.Town;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.ReplicatedMap;
import java.util.stream.Stream;

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
    return database.read(tx -> progress(tx, published, loaded, partitions));
  }

  /** Asks the records; the rest is known already. */
  private Progress progress(ReadTransaction tx, long published, long loaded, int partitions) {
    long saved = 0;
    for (String area : LoadCurve.areas()) {
      saved += grid.reading().count(tx, Reading.COUNT, area);
    }
    long unsent = grid.alert().count(tx, Alert.COUNT, false);
    long alerts = unsent + grid.alert().count(tx, Alert.COUNT, true);
    long counted = 0;
    long power = 0;
    long timestamp = 0;
    try (Stream<Meter> meters = grid.meter().scan(tx)) {
      for (Meter meter : (Iterable<Meter>) meters::iterator) {
        counted += meter.readings();
        power += meter.power();
        timestamp = Math.max(timestamp, meter.timestamp());
      }
    }
    return new Progress(
        published,
        saved,
        counted,
        loaded,
        alerts,
        unsent,
        partitions,
        power,
        LoadCurve.minute(timestamp));
  }

  /** What the records say, asked of their indexes. */
  static Town town(ReadTransaction tx, GridStore grid) {
    return new Town(
        LoadCurve.areas().stream().map(name -> area(tx, grid, name)).toList(),
        Tally.SENT_AGAIN.count(tx),
        Tally.SENT_LATE.count(tx),
        Tally.SENT_BROKEN.count(tx),
        grid.alert().count(tx, Alert.COUNT, true));
  }

  private static Town.Area area(ReadTransaction tx, GridStore grid, String name) {
    return new Town.Area(
        name,
        grid.reading().count(tx, Reading.COUNT, name),
        LoadCurve.energy(grid.reading().sum(tx, Reading.SUM, name)),
        grid.reading().max(tx, Reading.PEAK, name).map(Long.class::cast).orElse(0L));
  }
}
