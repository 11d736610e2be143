/**
 * Change streams of Cloud Spanner.
 *
 * <p>The name of a database and of a stream come in, with options; a {@link
 * dev.tidemark.changes.ChangeSource} and a {@link dev.tidemark.changes.MetadataStore} go out, for
 * the readers of {@code dev.tidemark.changes}. Both dialects are read. Programs start with {@link
 * dev.tidemark.changes.spanner.SpannerChanges}.
 */
@NullMarked
package dev.tidemark.changes.spanner;

import org.jspecify.annotations.NullMarked;
