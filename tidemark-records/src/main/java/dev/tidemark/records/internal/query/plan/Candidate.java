package dev.tidemark.records.internal.query.plan;

/**
 * A plan that answers a query.
 *
 * @param plan the plan
 * @param estimate what it is expected to do
 * @param fingerprint tells plans apart, the same in every process
 */
public record Candidate(Plan plan, Estimate estimate, long fingerprint) {}
