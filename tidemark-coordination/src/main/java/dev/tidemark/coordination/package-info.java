/**
 * Coordination of processes through one store: rows that are changed optimistically, the store's
 * own time, leases, members with incarnations, a leader with a term, and fences.
 */
@NullMarked
package dev.tidemark.coordination;

import org.jspecify.annotations.NullMarked;
