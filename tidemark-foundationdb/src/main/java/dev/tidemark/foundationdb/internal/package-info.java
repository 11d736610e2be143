/** How it is done. Not API: it changes without notice. */
@NullMarked
package dev.tidemark.foundationdb.internal;

import org.jspecify.annotations.NullMarked;
