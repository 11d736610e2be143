/**
 * Pools of workers. A {@link dev.tidemark.pulse.pool.PoolNode} runs jobs of a program, tickers and
 * schedules; a {@link dev.tidemark.pulse.pool.PoolClient} dispatches jobs, and knows jobs and
 * workers of the whole pool. Both come from {@link dev.tidemark.pulse.Pulse}. A job goes in with
 * its key and its payload and is run by one node at a time; what went wrong comes out as a {@link
 * dev.tidemark.pulse.pool.PoolException}. Of the package above, this one knows that exceptions of
 * pools are exceptions of pulse, and nothing else.
 */
@NullMarked
package dev.tidemark.pulse.pool;

import org.jspecify.annotations.NullMarked;
