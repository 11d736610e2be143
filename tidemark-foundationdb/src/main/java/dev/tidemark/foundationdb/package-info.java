/**
 * Tidemark and FoundationDB, both ways: {@link dev.tidemark.kv.Database} on a cluster, and any
 * layer for FoundationDB on {@link dev.tidemark.kv.Database}.
 */
@NullMarked
package dev.tidemark.foundationdb;

import org.jspecify.annotations.NullMarked;
