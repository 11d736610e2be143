/**
 * The command {@code demo}: options come in, the demo with meters or the tour of the store runs,
 * and its verdict goes out as the exit code. Only the table of commands calls it.
 */
@NullMarked
package dev.tidemark.node.internal.command.demo;

import org.jspecify.annotations.NullMarked;
