package dev.tidemark.node.internal.meters;

import dev.tidemark.records.annotation.Index;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import dev.tidemark.records.schema.IndexKind;

/**
 * What a meter measured at one moment.
 *
 * @param meter the meter
 * @param timestamp seconds since 2000-01-01T00:00:00+09:00, as the meters count them
 * @param area where the meter is
 * @param power in watts
 */
@Recordable
@Index(
    fields = {"area", "timestamp"},
    name = Reading.BY_AREA)
@Index(fields = "area", kind = IndexKind.COUNT, name = Reading.COUNT)
@Index(
    fields = {"area", "power"},
    kind = IndexKind.SUM,
    name = Reading.SUM)
@Index(
    fields = {"area", "power"},
    kind = IndexKind.MAX_EVER,
    name = Reading.PEAK)
record Reading(
    @PrimaryKey(order = 1) long meter,
    @PrimaryKey(order = 2) long timestamp,
    String area,
    long power) {
  static final String BY_AREA = "reading_by_area";
  static final String COUNT = "reading_count_by_area";
  static final String SUM = "reading_sum_by_area";
  static final String PEAK = "reading_peak_by_area";
}
