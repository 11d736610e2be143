/**
 * The command {@code kv}: a store, keys and values as text come in; rows, directories, backups and
 * copies go out. Every command is a few calls of the store's own API. Only the table of commands
 * calls it.
 */
@NullMarked
package dev.tidemark.node.internal.command.kv;

import org.jspecify.annotations.NullMarked;
