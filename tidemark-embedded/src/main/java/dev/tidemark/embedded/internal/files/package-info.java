/**
 * The files of a database: which there are, and whether they belong together.
 *
 * <p>A directory comes in, and goes out checked, locked and described: {@link
 * dev.tidemark.embedded.internal.files.StoreFiles} reads the manifest, the logs and the names of
 * the tables before RocksDB does, changes nothing if one of them is damaged, and keeps notes of
 * what must be there next time. Backups are copied and restored here. Only the engine calls it;
 * nothing in here knows of keys, versions or transactions.
 */
@NullMarked
package dev.tidemark.embedded.internal.files;

import org.jspecify.annotations.NullMarked;
