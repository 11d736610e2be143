/**
 * Workers of this process. Assigned jobs come in from the node; calls of the user's handler or
 * runner go out, and what became of a job is reported to the store under the claim the worker has.
 * Jobs are handed over when a worker goes. The node makes workers and ends them; they know the life
 * of their node, not the node itself.
 */
@NullMarked
package dev.tidemark.pulse.internal.pool.worker;

import org.jspecify.annotations.NullMarked;
