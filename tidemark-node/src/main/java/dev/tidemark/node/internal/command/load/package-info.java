/**
 * The command {@code load}: a stream or the records of a type come in, rows of a table in DuckDB or
 * PostgreSQL and a report go out. Only the table of commands calls it; the loader does the work.
 */
@NullMarked
package dev.tidemark.node.internal.command.load;

import org.jspecify.annotations.NullMarked;
