package dev.tidemark.records.internal.query.plan;

/**
 * A plan that answers a query.
 *
 * @param plan the plan
 * @param estimate its estimate
 * @param fingerprint identifies the plan, the same in every process
 */
public record Candidate(Plan plan, Estimate estimate, long fingerprint) {}
