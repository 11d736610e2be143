/**
 * Where the control rows of a cluster are: in its own store, or in another one. A database, a
 * cluster and perhaps a {@link dev.tidemark.coordination.RowStore} come in; the place of the rows,
 * and the guards of what is written in two steps, go out. Managers and servers open one each.
 * Ownership and logs are always in the database.
 */
@NullMarked
package dev.tidemark.partitions.internal.control;

import org.jspecify.annotations.NullMarked;
