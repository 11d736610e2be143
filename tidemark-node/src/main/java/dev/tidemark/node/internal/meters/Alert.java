package dev.tidemark.node.internal.meters;

import dev.tidemark.records.annotation.Index;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;

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
@Index(fields = "noticed", name = Alert.BY_NOTICED)
record Alert(
    @PrimaryKey(order = 1) long meter,
    @PrimaryKey(order = 2) long timestamp,
    long power,
    long threshold,
    boolean noticed) {
  static final String BY_NOTICED = "alert_by_noticed";

  Alert asNoticed() {
    return new Alert(meter, timestamp, power, threshold, true);
  }
}
