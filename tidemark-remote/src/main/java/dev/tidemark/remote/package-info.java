/**
 * One database shared by many processes: a server, and a client that is a {@link
 * dev.tidemark.kv.Database}.
 */
@NullMarked
package dev.tidemark.remote;

import org.jspecify.annotations.NullMarked;
