/**
 * Requests to a Pub/Sub subscription. Receipts and deadlines come in; answers go out as numbers of
 * confirmed and lost receipts, and failures as {@link dev.tidemark.loader.SourceException}. Only
 * the source in the package above calls it.
 */
@NullMarked
package dev.tidemark.loader.gcp.internal.pubsub;

import org.jspecify.annotations.NullMarked;
