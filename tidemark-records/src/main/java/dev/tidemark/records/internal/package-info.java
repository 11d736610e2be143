/**
 * The implementation of records, in one package for each step of the data.
 *
 * <p>A record goes through {@code store}, which asks {@code index} for entries, {@code keys} for
 * places and {@code format} for bytes, and tells {@code changes}. A query goes through {@code
 * query}. {@code build}, {@code scrub}, {@code statistics} and {@code migration} work on whole
 * spaces. No two of these packages need each other. {@code Bridge}, here, leads from one public
 * package to what another one hides; only public types call it.
 */
@NullMarked
package dev.tidemark.records.internal;

import org.jspecify.annotations.NullMarked;
