/**
 * What the engine remembers of the data, so that a read need not go to RocksDB: single rows,
 * stretches of rows, and gaps where nothing is.
 *
 * <p>A reader hands in a key or a range and its version, and gets what is valid for that version,
 * or nothing. Commits come in as {@code Changes}, before their version is published, and end what
 * they overwrite, or replace a single row. Everything is bounded, and nothing is on the disk.
 * {@code read} looks rows up and caches what it had to read; {@code commit} reports writes.
 */
@NullMarked
package dev.tidemark.embedded.internal.cache;

import org.jspecify.annotations.NullMarked;
