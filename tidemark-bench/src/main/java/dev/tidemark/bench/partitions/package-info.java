/**
 * {@code bench partitions}: how many requests partitioned actors answer, in one process over a log
 * of known speed and as a whole cluster over loopback, and how long a routing table takes to its
 * watchers. The actors that are measured are here. Only the command calls it.
 */
@NullMarked
package dev.tidemark.bench.partitions;

import org.jspecify.annotations.NullMarked;
