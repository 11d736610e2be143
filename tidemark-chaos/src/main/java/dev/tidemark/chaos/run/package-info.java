/**
 * What every run has in common: its settings, its rounds, its temporary directory, the processes
 * that it starts and kills, and what was found wrong.
 *
 * <p>A {@code Campaign} calls round after round; a {@code ChildProcess} starts a program, reads its
 * {@code Message}s and kills it; the program sees its {@code Parent}. {@code Findings} and a {@code
 * Tally} go out. It knows no run.
 */
@NullMarked
package dev.tidemark.chaos.run;

import org.jspecify.annotations.NullMarked;
