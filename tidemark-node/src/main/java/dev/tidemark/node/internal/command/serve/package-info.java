/**
 * The command {@code serve}: settings come in, from options; a process that shares its database
 * until a signal ends it goes out. Settings are checked as a whole before the database is opened or
 * a port is taken. Only the table of commands calls it.
 */
@NullMarked
package dev.tidemark.node.internal.command.serve;

import org.jspecify.annotations.NullMarked;
