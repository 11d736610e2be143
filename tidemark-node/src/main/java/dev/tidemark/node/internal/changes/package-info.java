/**
 * The command {@code changes}: an operator's words come in, the change streams of a record store
 * are read, split or merged, and tables for people or lines of JSON for scripts go out. The entry
 * point of the program is the only caller; it says how stores are opened. Exit codes tell a wrong
 * call from one that failed.
 */
@NullMarked
package dev.tidemark.node.internal.changes;

import org.jspecify.annotations.NullMarked;
