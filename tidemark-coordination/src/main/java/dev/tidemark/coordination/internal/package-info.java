/**
 * Rows on Tidemark's store. A database and a subspace come in, a {@link
 * dev.tidemark.coordination.RowStore} goes out. Each transition is a transaction, each wake-up a
 * counter that listeners watch. Only the public package calls it.
 */
@NullMarked
package dev.tidemark.coordination.internal;

import org.jspecify.annotations.NullMarked;
