/**
 * {@code bench engine} and {@code bench growth}: what a program pays for transactions on top of
 * RocksDB, beside SQLite, MVStore and Xodus, and which rates fall as the data outgrow the memory.
 * {@code EngineProfile} shows where the time of transactions goes. Only the command calls it.
 */
@NullMarked
package dev.tidemark.bench.engine;

import org.jspecify.annotations.NullMarked;
