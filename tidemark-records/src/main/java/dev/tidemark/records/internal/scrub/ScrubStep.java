package dev.tidemark.records.internal.scrub;

import dev.tidemark.records.maintenance.Finding;
import java.util.List;

/**
 * The result of one transaction of a scrub.
 *
 * @param next the progress after it
 * @param scanned the number of records and rows that were checked
 * @param findings the errors
 * @param repaired the number of errors, of this or earlier steps, that were repaired
 */
record ScrubStep(ScrubProgress next, long scanned, List<Finding> findings, long repaired) {}
