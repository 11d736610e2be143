package dev.tidemark.records.internal.query.plan;

/**
 * The estimate of a plan.
 *
 * @param rows rows that it gives
 * @param keys keys of entries and records that it scans
 * @param loads records that it loads one by one
 * @param cost time that it takes, in units of {@link CostModel}
 */
public record Estimate(double rows, double keys, double loads, double cost) {}
