package dev.tidemark.node.internal.meters.output;

import java.util.Locale;

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
 * @param minute of the meters' day, of the latest reading that an actor has seen
 */
public record Progress(
    long published,
    long saved,
    long counted,
    long loaded,
    long alerts,
    long unsent,
    int partitions,
    long power,
    int minute) {
  /** Whether everything that was published has arrived everywhere. */
  public boolean isComplete() {
    return behind() == 0 && unsent == 0;
  }

  /** How many readings have not arrived everywhere. */
  public long behind() {
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
