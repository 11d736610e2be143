/**
 * The {@code tidemark} command. Not a library: programs use the modules below it.
 *
 * <p>{@link Main} hands the words of a call to the table of commands.
 */
@NullMarked
package dev.tidemark.node;

import org.jspecify.annotations.NullMarked;
