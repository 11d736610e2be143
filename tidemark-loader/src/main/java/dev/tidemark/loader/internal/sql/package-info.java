/**
 * Warehouses that speak SQL: staging of rows, merging, jobs, positions and dead letters in one
 * transaction, and the comparison of tables with mappings. Batches come in from the engine through
 * the public warehouses and go out as statements of a {@code Dialect}. Nobody else calls this room.
 */
@NullMarked
package dev.tidemark.loader.internal.sql;

import org.jspecify.annotations.NullMarked;
