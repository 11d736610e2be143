/**
 * Splits long work into transactions that fit the limits.
 *
 * <p>{@code BatchLoop} runs a step again and again with as much in each transaction as the store
 * takes, {@code Allowance} says when a batch is full, {@code Pace} keeps a rate. {@code Rounds}
 * repeats tasks in a thread of its own. It knows nothing of records; {@code build}, {@code scrub}
 * and {@code migration} use it.
 */
@NullMarked
package dev.tidemark.records.internal.work;

import org.jspecify.annotations.NullMarked;
