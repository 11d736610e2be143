/**
 * The loader on Google Cloud: messages come in from a Pub/Sub subscription, rows go out to a
 * BigQuery table. {@link dev.tidemark.loader.gcp.PubSubSource} and {@link
 * dev.tidemark.loader.gcp.BigQueryWarehouse} are parts for any {@link dev.tidemark.loader.Loader}.
 * {@link dev.tidemark.loader.gcp.Instant2Bq} is the whole way for measurements of power; the HTTP
 * function and the command call it. Applications may use all of this package; all below {@code
 * internal} is its own.
 */
@NullMarked
package dev.tidemark.loader.gcp;

import org.jspecify.annotations.NullMarked;
