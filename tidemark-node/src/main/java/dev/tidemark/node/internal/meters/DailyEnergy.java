package dev.tidemark.node.internal.meters;

import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;

/**
 * What went through a meter on a day before that of its latest reading. The actor saves it when the
 * day is over, and again when a late reading comes.
 *
 * @param meter the meter
 * @param day counted from 2000-01-01
 * @param energy in watt-hours
 */
@Recordable
record DailyEnergy(
    @PrimaryKey(order = 1) long meter, @PrimaryKey(order = 2) long day, long energy) {}
