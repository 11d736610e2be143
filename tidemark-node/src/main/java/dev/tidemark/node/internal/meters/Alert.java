package dev.tidemark.node.internal.meters;

import dev.tidemark.records.annotation.Index;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import dev.tidemark.records.schema.IndexKind;

/**
 * A reading above the threshold.
 *
 * @param meter the meter
 * @param timestamp when
 * @param power what it measured
 * @param threshold what was allowed then
 * @param noticed whether somebody was told
 */
@Recordable
@Index(fields = "timestamp", name = Alert.BY_TIME)
@Index(fields = "noticed", kind = IndexKind.COUNT, name = Alert.COUNT)
record Alert(
    @PrimaryKey(order = 1) long meter,
    @PrimaryKey(order = 2) long timestamp,
    long power,
    long threshold,
    boolean noticed) {
  static final String BY_TIME = "alert_by_time";
  static final String COUNT = "alert_count_by_noticed";

  Alert asNoticed() {
    return new Alert(meter, timestamp, power, threshold, true);
  }
}
