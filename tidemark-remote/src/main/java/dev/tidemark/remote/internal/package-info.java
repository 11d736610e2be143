/** How it is done. Not API: it changes without notice. */
@NullMarked
package dev.tidemark.remote.internal;

import org.jspecify.annotations.NullMarked;
