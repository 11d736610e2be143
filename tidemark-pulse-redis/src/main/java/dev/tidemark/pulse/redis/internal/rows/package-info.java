/**
 * The rows of one pool, in a hash and a sorted set of one slot. A transition comes in and is run by
 * a {@code RowAttempt} on what is known ({@code RowKnowledge}); what it read and wants written goes
 * out as one script, which refuses if something was seen out of date, and then the transition runs
 * again. Only the backend calls it.
 */
@NullMarked
package dev.tidemark.pulse.redis.internal.rows;

import org.jspecify.annotations.NullMarked;
