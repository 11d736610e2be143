package dev.tidemark.node.internal.meters;

import dev.tidemark.kv.ReadTransaction;
import java.util.List;

/**
 * What the records say at the end of a run, asked of their indexes.
 *
 * @param areas the areas of the town
 * @param again messages that came twice
 * @param late readings that came after later ones
 * @param broken messages that could not be read
 * @param alerts alerts that were sent
 */
record Town(List<Area> areas, long again, long late, long broken, long alerts) {
  Town {
    areas = List.copyOf(areas);
  }

  /**
   * An area of the town.
   *
   * @param name what it is called
   * @param readings how many were saved
   * @param energy of all of them, in watt hours
   * @param peak the highest one, in watts
   */
  record Area(String name, long readings, long energy, long peak) {}

  static Town of(ReadTransaction tx, GridStore grid) {
    return new Town(
        LoadCurve.areas().stream().map(name -> area(tx, grid, name)).toList(),
        Tally.SENT_AGAIN.count(tx),
        Tally.SENT_LATE.count(tx),
        Tally.SENT_BROKEN.count(tx),
        grid.alert().count(tx, Alert.COUNT, true));
  }

  private static Area area(ReadTransaction tx, GridStore grid, String name) {
    return new Area(
        name,
        grid.reading().count(tx, Reading.COUNT, name),
        LoadCurve.energy(grid.reading().sum(tx, Reading.SUM, name)),
        grid.reading().max(tx, Reading.PEAK, name).map(Long.class::cast).orElse(0L));
  }
}
