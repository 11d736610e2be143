/**
 * The table of commands: the words of a call come in, the command that they name is found and run,
 * and an exit code goes out: 0 done, 1 failed, 2 wrong usage. Each command is a class of a room
 * below, by subject; none knows another. A mistake in the words and a failure that the user can do
 * something about become one line on standard error. {@code Main} is the only caller.
 */
@NullMarked
package dev.tidemark.node.internal.command;

import org.jspecify.annotations.NullMarked;
