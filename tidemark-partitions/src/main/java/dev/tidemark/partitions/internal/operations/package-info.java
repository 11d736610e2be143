/**
 * Durable operations: split, merge, migrate, drain, failover and the first partition of a type. An
 * operation is a row with its steps, attempts and deadline, and a lock on each partition it works
 * on; any leader resumes it. Requests come in from the manager's service and from policies. Servers
 * are asked to stage and to hold requests back, and then one transaction makes the change visible.
 * Every write checks the leader's term.
 */
@NullMarked
package dev.tidemark.partitions.internal.operations;

import org.jspecify.annotations.NullMarked;
