/**
 * The stores that commands look at: arguments such as STORE, PATH and {@code --token-file} come in;
 * an open database, or the records in one of its directories, goes out. A directory is opened only
 * if it has a database, so that a typing mistake does not create one. Commands call it and close
 * what they get.
 */
@NullMarked
package dev.tidemark.node.internal.stores;

import org.jspecify.annotations.NullMarked;
