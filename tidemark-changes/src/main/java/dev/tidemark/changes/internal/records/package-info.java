/**
 * The change log of a record space as a change source: cursors over partitions of the log, one
 * listener for all of them, and the translation of changes. Positions and tokens of the log go
 * through unchanged. {@code RecordChangeSource} is the only caller.
 */
@NullMarked
package dev.tidemark.changes.internal.records;

import org.jspecify.annotations.NullMarked;
