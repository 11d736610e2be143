/**
 * The change streams of a record space, and the logs that record their changes.
 *
 * <p>{@link dev.tidemark.records.schema.ChangeStreamSpec} says which changes of which records are
 * recorded; every save and delete then writes the change into the stream's log, in the same commit.
 * {@link dev.tidemark.records.changes.ChangeStreams} adds, lists and removes streams, and {@link
 * dev.tidemark.records.changes.ChangeLog} reads one: its partitions, and the changes of each in the
 * order of their commits. Programs that want changes delivered to them use a change reader, which
 * is built on this package; tools may read the log directly.
 */
@NullMarked
package dev.tidemark.records.changes;

import org.jspecify.annotations.NullMarked;
