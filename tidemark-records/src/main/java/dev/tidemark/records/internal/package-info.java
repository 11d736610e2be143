/** How records and indexes are stored and kept. Not API: it changes without notice. */
@NullMarked
package dev.tidemark.records.internal;

import org.jspecify.annotations.NullMarked;
