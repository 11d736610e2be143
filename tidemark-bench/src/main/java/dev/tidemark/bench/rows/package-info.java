/**
 * The rows that runs of keys and values store, and who stores them: our engine behind its public
 * interface ({@code Store}) or another store ({@code Rival}). A {@code Batch} of rows comes in, and
 * reads and commits are counted. {@code GroupCommit} stands in front of rivals that cannot share a
 * sync. Used by the runs of the engine, of the wire and of records.
 */
@NullMarked
package dev.tidemark.bench.rows;

import org.jspecify.annotations.NullMarked;
