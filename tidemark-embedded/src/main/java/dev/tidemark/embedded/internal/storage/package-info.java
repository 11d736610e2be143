/**
 * The RocksDB instance below a database with everything native that belongs to it, and the versions
 * that can be read.
 *
 * <p>Batches come in already in RocksDB's format ({@code BatchBuilder}) and are written with one
 * sync; pinned versions and facts about the store go out. {@code PublishedVersions} holds the
 * version that new transactions read and the older ones that are still in use. The engine and its
 * commits call it. What the files are, and whether they are whole, is the business of {@code
 * files}.
 */
@NullMarked
package dev.tidemark.embedded.internal.storage;

import org.jspecify.annotations.NullMarked;
