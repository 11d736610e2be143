/** Shared by the store's engines. Not API: it changes without notice. */
@NullMarked
package dev.tidemark.kv.internal;

import org.jspecify.annotations.NullMarked;
