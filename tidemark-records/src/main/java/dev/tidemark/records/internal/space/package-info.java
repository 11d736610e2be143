/**
 * An open store: its schema, the header that transactions see, and its records as rows.
 *
 * <p>{@code Space} is shared by all packages above; {@code SpaceState} is all that derives from one
 * header, and is cached until the header changes. {@code StoredRecords} reads and writes the rows
 * of one type, without regard to indexes. {@code IndexStates} changes the state of an index.
 * Packages above attach what they derive from a space to it, so that it does not know them.
 */
@NullMarked
package dev.tidemark.records.internal.space;

import org.jspecify.annotations.NullMarked;
