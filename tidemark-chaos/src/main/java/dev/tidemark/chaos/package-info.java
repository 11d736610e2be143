/**
 * Kills, fills and tears real processes and disks, and checks that the store kept its promises.
 *
 * <p>{@link dev.tidemark.chaos.Main} is the way in: it reads the name of a run and its settings and
 * calls the class named {@code …Chaos} of that run's room. A room may use {@code run}, {@code
 * ledger} and the rooms that it builds on.
 */
@NullMarked
package dev.tidemark.chaos;

import org.jspecify.annotations.NullMarked;
