package dev.tidemark.node.internal.meters;

import dev.tidemark.kv.ReadTransaction;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * How far each layer is at one moment.
 *
 * @param published readings that were published
 * @param saved readings that workers have saved
 * @param counted readings that actors have counted
 * @param loaded rows of the warehouse
 * @param alerts all alerts
 * @param unsent alerts that nobody was told of
 * @param partitions of the actors
 * @param power of all meters together, in watts
 * @param timestamp of the latest reading that an actor has seen
 */
record Progress(
    long published,
    long saved,
    long counted,
    long loaded,
    long alerts,
    long unsent,
    int partitions,
    long power,
    long timestamp) {
  /** Asks the records; the rest is known already. */
  static Progress of(
      ReadTransaction tx, GridStore grid, long published, long loaded, int partitions) {
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
        published, saved, counted, loaded, alerts, unsent, partitions, power, timestamp);
  }

  /** Whether everything that was published has arrived everywhere. */
  boolean isComplete() {
    return behind() == 0 && unsent == 0;
  }

  /** How many readings have not arrived everywhere. */
  long behind() {
    return Math.max(0, published - Math.min(saved, Math.min(counted, loaded)));
  }

  /** The numbers of the layers. */
  String layers() {
    return String.format(
        Locale.ROOT,
        "published %,d  saved %,d  actors %,d  warehouse %,d",
        published,
        saved,
        counted,
        loaded);
  }

  /** What the town looks like. */
  String town() {
    int minute = LoadCurve.minute(timestamp);
    return String.format(
        Locale.ROOT,
        "%02d:%02d at the meters, %,d kW in all; alerts %,d, partitions %d",
        minute / 60,
        minute % 60,
        power / 1_000,
        alerts,
        partitions);
  }
}
