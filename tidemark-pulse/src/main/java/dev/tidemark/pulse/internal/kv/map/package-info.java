/**
 * Maps on Tidemark's store. A write changes the entry and appends to the log of the map in one
 * transaction; the feed follows that log, and the trimmer keeps it short. The backend beside it
 * opens a map; callers see it as a {@code MapStore}.
 */
@NullMarked
package dev.tidemark.pulse.internal.kv.map;

import org.jspecify.annotations.NullMarked;
