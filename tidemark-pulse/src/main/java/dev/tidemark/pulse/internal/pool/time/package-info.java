/**
 * Tickers and schedules: beats that the nodes of a pool share, so that each beat falls to one of
 * them. A node starts them; the beat comes from a row of the pool, and ticks or planned jobs go
 * out. Plans are carried out through the client's checks and the pool's transitions.
 */
@NullMarked
package dev.tidemark.pulse.internal.pool.time;

import org.jspecify.annotations.NullMarked;
