package dev.tidemark.node.internal.meters;

import dev.tidemark.records.annotation.Index;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;

/**
 * What the actor of a meter knows of it, saved in the transaction of the actor's log.
 *
 * @param id the meter
 * @param area where it is
 * @param timestamp of its latest reading
 * @param power of its latest reading, in watts
 * @param energy of the day of its latest reading so far, in watt-hours
 * @param readings how many there were
 * @param watts the sum of all of them
 */
@Recordable
@Index(
    fields = {"area", "power desc"},
    name = Meter.BY_AREA)
record Meter(
    @PrimaryKey long id,
    String area,
    long timestamp,
    long power,
    long energy,
    long readings,
    long watts) {
  static final String BY_AREA = "meter_by_area";
}
