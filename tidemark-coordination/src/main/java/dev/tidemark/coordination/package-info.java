/**
 * Coordination of processes through one store. In comes a {@link
 * dev.tidemark.coordination.RowStore}: ordered rows that one function changes at a time, on
 * Tidemark's store, on Redis or on any other that can compare and set. Out go the things that
 * several processes have to agree on: {@link dev.tidemark.coordination.LeaseTable leases} by the
 * {@link dev.tidemark.coordination.StoreTime store's own time}, {@link
 * dev.tidemark.coordination.Members members} with incarnations, a {@link
 * dev.tidemark.coordination.LeaderElection leader} with a term, and the fence that keeps a former
 * leader from writing. Beside them stand the threads that such work needs: a heartbeat, a watch
 * over the end of a lease, wake-ups by watched keys, and calls that are given up in time. Layers of
 * Tidemark call this package; programs rarely need it themselves.
 */
@NullMarked
package dev.tidemark.coordination;

import org.jspecify.annotations.NullMarked;
