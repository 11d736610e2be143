/**
 * How a program gives work to a pool. Calls such as dispatch, notify and stop come in, one
 * transition each goes out, and the answers that workers write come back to the thread that waits.
 * A node is a client too and extends it. It has no workers and runs no jobs.
 */
@NullMarked
package dev.tidemark.pulse.internal.pool.client;

import org.jspecify.annotations.NullMarked;
