/**
 * A node of a pool: it joins, looks for work, gives it to its workers, and leaves. Hints of its
 * channel and searches in the store come in; jobs and mail go out to the workers. {@code
 * NodeWorkers} keeps the node in the pool, {@code WorkerRoster} its workers. Every node does its
 * share of the upkeep of the whole pool. {@code BackendPulse} opens nodes; a node uses the client,
 * the workers and the tickers, and none of them uses it.
 */
@NullMarked
package dev.tidemark.pulse.internal.pool.node;

import org.jspecify.annotations.NullMarked;
