/**
 * The command {@code records}: STORE, PATH and words come in; queries, plans, schemas, statistics
 * and the upkeep of indexes go out, also for records whose program is not at hand. Everything is
 * read with the schema that the store itself has. Only the table of commands calls it.
 */
@NullMarked
package dev.tidemark.node.internal.command.records;

import org.jspecify.annotations.NullMarked;
