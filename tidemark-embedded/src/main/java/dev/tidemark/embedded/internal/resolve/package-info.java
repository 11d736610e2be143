/**
 * Conflicts between transactions.
 *
 * <p>A {@code Footprint} comes in: the hashes of the keys that a transaction read and wrote, with
 * its read version. The answer is whether a commit since then wrote anything that it read. The
 * resolver remembers the commits of the last seconds in epochs and forgets whole ones, by age and
 * by size. It keeps no values, knows neither threads nor storage, and is called by the committer
 * alone.
 */
@NullMarked
package dev.tidemark.embedded.internal.resolve;

import org.jspecify.annotations.NullMarked;
