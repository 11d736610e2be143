/**
 * {@code chaos pulse}: processes that share a stream and two pools are killed and paused. Events
 * must arrive, jobs must be done and have one owner at a time ({@code Owners}). The command calls
 * it; the runs of the loader and of partitions use its server.
 */
@NullMarked
package dev.tidemark.chaos.pulse;

import org.jspecify.annotations.NullMarked;
