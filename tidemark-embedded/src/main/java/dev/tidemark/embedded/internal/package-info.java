/**
 * The engine behind {@link dev.tidemark.embedded.EmbeddedDatabase}: one open database, its
 * transactions, and the gate for those of low priority.
 *
 * <p>Calls of a program come in through {@code EmbeddedTransaction}. Reads go to {@code read},
 * commits to {@code commit}; {@code Engine} opens all other packages in order, wires them and
 * closes them. The public package calls this one, and no package below needs it. Not API: it
 * changes without notice.
 */
@NullMarked
package dev.tidemark.embedded.internal;

import org.jspecify.annotations.NullMarked;
