package dev.tidemark.records.internal.scrub;

import dev.tidemark.records.maintenance.Finding;
import java.util.List;

/**
 * What one transaction of a scrub did.
 *
 * @param next how far it came
 * @param scanned how many records and rows it looked at
 * @param findings what was wrong
 * @param repaired how much of it, or of what earlier steps found, was put right
 */
record ScrubStep(ScrubProgress next, long scanned, List<Finding> findings, long repaired) {}
