/**
 * {@code bench changes}: how fast a reader of a change stream catches up, what the stream costs
 * those who save, and how long a change takes to its handler, beside PostgreSQL's logical decoding.
 * Users come from {@code records}. Only the command calls it.
 */
@NullMarked
package dev.tidemark.bench.changes;

import org.jspecify.annotations.NullMarked;
