/**
 * How a database is served and reached, in three rooms: {@code client} on one side, {@code server}
 * on the other, and {@code transport} with what both do to bytes. Nothing is in this package
 * itself. Not API: it changes without notice.
 */
@NullMarked
package dev.tidemark.remote.internal;

import org.jspecify.annotations.NullMarked;
