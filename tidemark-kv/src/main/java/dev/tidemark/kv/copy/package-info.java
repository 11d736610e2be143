/**
 * Moves a whole store from one engine to another: {@link dev.tidemark.kv.copy.StoreCopy} copies all
 * rows in small transactions, can be started again where it was interrupted, and compares both
 * stores at the end. It sees to it that versions do not go backwards: versionstamps of the new
 * store sort after those that were copied.
 */
@NullMarked
package dev.tidemark.kv.copy;

import org.jspecify.annotations.NullMarked;
