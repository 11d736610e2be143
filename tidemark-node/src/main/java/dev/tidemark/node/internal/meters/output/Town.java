package dev.tidemark.node.internal.meters.output;

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
public record Town(List<Area> areas, long again, long late, long broken, long alerts) {
  /** Defends the list. */
  public Town {
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
  public record Area(String name, long readings, long energy, long peak) {}
}
