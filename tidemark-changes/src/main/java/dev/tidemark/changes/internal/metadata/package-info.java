/**
 * Metadata stores: rows of runs, partitions and members, in memory or in a database. Rows come in
 * and go out as the public records; bytes stay inside. The factories of {@code MetadataStore}
 * create the stores; the reader calls them through that interface.
 */
@NullMarked
package dev.tidemark.changes.internal.metadata;

import org.jspecify.annotations.NullMarked;
