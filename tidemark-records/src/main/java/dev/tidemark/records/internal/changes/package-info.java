/**
 * Records changes in the log of a change stream, and reads them back.
 *
 * <p>{@code Capture} gets every changed record from {@code
 * dev.tidemark.records.internal.store.Records} while a transaction runs, folds the changes of each
 * record into one, and writes the log when the transaction commits. {@code StoredLog} reads it;
 * {@code PartitionChange} splits and merges partitions; {@code LogRetention} removes what is too
 * old. {@code StreamKeys}, {@code LogRow} and {@code Content} know the format, which
 * docs/formats/changes.md describes. Only the records module calls it; others use {@code
 * dev.tidemark.records.changes}.
 */
@NullMarked
package dev.tidemark.records.internal.changes;

import org.jspecify.annotations.NullMarked;
