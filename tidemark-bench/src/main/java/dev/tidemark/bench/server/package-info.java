/**
 * A server in a process of its own, so that client and server do not share one JVM. {@code
 * ServerProcess} is the parent's side: it starts {@code ServerChild}, learns its ports from the
 * first line and ends it. {@code Echo} is the least that a remote read can be. Used by runs with a
 * server and by those whose rival is one.
 */
@NullMarked
package dev.tidemark.bench.server;

import org.jspecify.annotations.NullMarked;
