/**
 * The {@code tidemark} command. Not a library: programs use the modules below it.
 *
 * <p>{@link Main} finds the sub-command; {@link Demo} is the tour of the store.
 */
@NullMarked
package dev.tidemark.node;

import org.jspecify.annotations.NullMarked;
