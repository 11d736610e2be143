/**
 * Measurements of the store beside what it is built on and what else could be used.
 *
 * <p>{@link dev.tidemark.bench.Main} is the way in.
 */
@NullMarked
package dev.tidemark.bench;

import org.jspecify.annotations.NullMarked;
