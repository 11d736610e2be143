/**
 * The routing table as it is stored, and its newest version in a process. Rows come in from the
 * store, whenever the routing version changes; immutable tables go out to watchers, latest only.
 * Managers and servers read and watch; only the manager's flips write, through the same class that
 * reads.
 */
@NullMarked
package dev.tidemark.partitions.internal.routing;

import org.jspecify.annotations.NullMarked;
