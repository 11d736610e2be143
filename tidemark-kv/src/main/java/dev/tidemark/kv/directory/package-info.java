/**
 * Short prefixes for long paths. A {@code DirectoryLayer} keeps a tree of names in the store and
 * gives each {@code Directory} a prefix that no other has, so that moving one moves no data; a
 * {@code LayerId} says whose data a directory holds. Paths and a transaction come in, subspaces go
 * out, and a {@code DirectoryException} says what the tree does not permit. Programs and all layers
 * may use it. It is made of transactions, tuples and subspaces, which know nothing of it.
 */
@NullMarked
package dev.tidemark.kv.directory;

import org.jspecify.annotations.NullMarked;
