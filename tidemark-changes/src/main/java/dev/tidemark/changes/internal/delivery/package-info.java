/**
 * From a record that was read to one that is acknowledged: the deque of unacknowledged entries of a
 * partition, the lanes that call the program's handlers in the promised order, and the limits on
 * what is in flight. The engine adds entries; acknowledgements come from any thread; resume points
 * go out.
 */
@NullMarked
package dev.tidemark.changes.internal.delivery;

import org.jspecify.annotations.NullMarked;
