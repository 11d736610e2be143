/**
 * {@code bench remote}: what a program pays for sharing one store with other processes, beside
 * PostgreSQL and a bare gRPC call. {@code RemoteProfile} shows where the time of remote reads and
 * commits goes. Only the command calls it.
 */
@NullMarked
package dev.tidemark.bench.remote;

import org.jspecify.annotations.NullMarked;
