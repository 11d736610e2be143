/**
 * The engine of a loader: one run is three threads around one {@code Ledger}. Messages come in from
 * the source through the puller, which maps them, wait in the ledger, and go out through the merger
 * as batches and acknowledgements; the caller's thread keeps leases alive and watches the clock.
 * {@link dev.tidemark.loader.Loader} starts runs; nobody else calls this room.
 */
@NullMarked
package dev.tidemark.loader.internal.engine;

import org.jspecify.annotations.NullMarked;
