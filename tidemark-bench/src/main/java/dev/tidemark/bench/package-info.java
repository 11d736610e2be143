/**
 * Measurements of the store beside what it is built on and what else could be used.
 *
 * <p>{@link dev.tidemark.bench.Main} is the way in: it reads the name of a run and calls its room.
 * Every room of a run asks one question, says it in the first sentence of its class named {@code
 * …Bench}, and may use {@code measure}, {@code rows}, {@code server} and the rooms that it builds
 * on.
 */
@NullMarked
package dev.tidemark.bench;

import org.jspecify.annotations.NullMarked;
