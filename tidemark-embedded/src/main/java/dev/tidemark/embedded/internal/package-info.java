/** The engine behind {@link dev.tidemark.embedded.EmbeddedDatabase}. Not API. */
@NullMarked
package dev.tidemark.embedded.internal;

import org.jspecify.annotations.NullMarked;
