/**
 * Reads of one committed version.
 *
 * <p>A key, a range or a version comes in; rows and portions of rows go out, out of the caches
 * where they have them, else out of a RocksDB snapshot that all readers of the version share. A
 * snapshot is released exactly once, after its last reader. Transactions and the commit pipeline
 * read here; the snapshots themselves are made and kept by {@code storage}.
 */
@NullMarked
package dev.tidemark.embedded.internal.read;

import org.jspecify.annotations.NullMarked;
