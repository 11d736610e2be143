/**
 * Loads messages and changes into the tables of a warehouse, in idempotent micro-batches. Start
 * with {@link dev.tidemark.loader.Loader}.
 *
 * <p>Messages come in from a {@link dev.tidemark.loader.MessageSource}, a {@link
 * dev.tidemark.loader.Mapping} turns each into a row, and a {@link dev.tidemark.loader.Warehouse}
 * merges the rows of a batch. Messages that cannot become rows go out to {@link
 * dev.tidemark.loader.DeadLetters}. Delivered twice, early or late, a message leaves the same
 * table: the later publication of a key wins. Applications, the command and the connectors to other
 * queues and warehouses call this package; all below {@code internal} is its own.
 */
@NullMarked
package dev.tidemark.loader;

import org.jspecify.annotations.NullMarked;
