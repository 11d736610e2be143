/**
 * Finds the plans of a query and chooses the cheapest.
 *
 * <p>A shape and a {@code Catalog} of indexes and statistics come in; a {@code Plan}, which says
 * what to read, test and sort, goes out. {@code Candidates} lists the plans, {@code CostModel}
 * estimates them with {@code Selectivity}, {@code PlanCache} keeps what was chosen, {@code
 * Explainer} tells of it. It reads no records. {@code engine} calls it; {@code scan}, {@code match}
 * and {@code run} read its plans.
 */
@NullMarked
package dev.tidemark.records.internal.query.plan;

import org.jspecify.annotations.NullMarked;
