/**
 * {@code bench loader}: what a durable queue and acknowledgements cost on the way into a table,
 * beside the fastest upserts found with nothing around them. Measurements are made here, users come
 * from {@code records}. Only the command calls it.
 */
@NullMarked
package dev.tidemark.bench.loader;

import org.jspecify.annotations.NullMarked;
