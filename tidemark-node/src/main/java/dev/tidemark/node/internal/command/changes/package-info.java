/**
 * The command {@code changes}: an operator's words come in, the change streams of a record store
 * are read, split or merged, and tables for people or lines of JSON for scripts go out. Only the
 * table of commands calls it. Exit codes tell a wrong call from one that failed.
 */
@NullMarked
package dev.tidemark.node.internal.command.changes;

import org.jspecify.annotations.NullMarked;
