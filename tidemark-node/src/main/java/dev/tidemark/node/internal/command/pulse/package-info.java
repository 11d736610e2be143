/**
 * The commands {@code stream}, {@code map} and {@code pool}, which look at what services share
 * through a store and give it to them: a store and a name come in, rows and events go out. They see
 * what programs see, through the same interfaces, and only names are read from the keys. {@code
 * CommandTable} has them.
 */
@NullMarked
package dev.tidemark.node.internal.command.pulse;

import org.jspecify.annotations.NullMarked;
