/**
 * Large clusters on virtual time. The routing table, its bytes on the wire, placement and policy
 * are the code that runs; servers, the network and the store are latencies. A seed repeats
 * everything.
 */
@NullMarked
package dev.tidemark.partitions.internal.simulation;

import org.jspecify.annotations.NullMarked;
