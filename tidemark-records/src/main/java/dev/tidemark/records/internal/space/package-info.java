/**
 * An open store: its schema, the header that transactions see, and its records as rows.
 *
 * <p>{@code Space} is what everything above shares; {@code SpaceState} is all that follows from one
 * header, and {@code HeaderCache} keeps it until the header changes. {@code StoredRecords} reads
 * and writes the rows of one type, without regard to indexes. {@code IndexStates} changes the state
 * of an index. What packages above derive from a space they leave with it, so it does not know
 * them.
 */
@NullMarked
package dev.tidemark.records.internal.space;

import org.jspecify.annotations.NullMarked;
