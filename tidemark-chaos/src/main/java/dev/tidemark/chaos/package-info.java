/**
 * Kills, fills and tears real processes and disks, and checks that the store kept its promises.
 *
 * <p>{@link dev.tidemark.chaos.Main} is the way in.
 */
@NullMarked
package dev.tidemark.chaos;

import org.jspecify.annotations.NullMarked;
