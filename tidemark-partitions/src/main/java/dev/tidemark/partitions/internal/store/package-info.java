/**
 * Where everything of a cluster is kept, and the bytes of its rows. {@link
 * dev.tidemark.partitions.internal.store.PartitionKeys} is the only class that makes keys; each row
 * is a record that encodes and decodes itself, with a format byte in front. Nothing here opens a
 * transaction: the log, the engine and the manager do that with what they get from here. Callers
 * are the other rooms of this module.
 */
@NullMarked
package dev.tidemark.partitions.internal.store;

import org.jspecify.annotations.NullMarked;
