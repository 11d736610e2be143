/**
 * Readers of change streams.
 *
 * <p>A {@link dev.tidemark.changes.ChangeSource} offers a stream as partitions that split, merge
 * and move. A {@link dev.tidemark.changes.ChangeReader} follows all of them: it discovers
 * partitions, reads each from its stored position, hands records to the program, and stores how far
 * the program has acknowledged. Its state lives in a {@link dev.tidemark.changes.MetadataStore}, so
 * that a run survives crashes and several processes can share it. Programs call this package;
 * sources and metadata stores implement two small interfaces of it.
 */
@NullMarked
package dev.tidemark.changes;

import org.jspecify.annotations.NullMarked;
