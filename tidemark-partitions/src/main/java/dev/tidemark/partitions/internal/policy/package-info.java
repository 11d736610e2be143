/**
 * Decides when partitions are split, merged and moved. Statistics, a policy and a memory of earlier
 * actions come in; at most one action, the reasons for not acting and the next memory go out.
 * Everything here is a pure function: it reads no clock and no store, and a test can replay it. The
 * manager calls it and carries the action out.
 */
@NullMarked
package dev.tidemark.partitions.internal.policy;

import org.jspecify.annotations.NullMarked;
