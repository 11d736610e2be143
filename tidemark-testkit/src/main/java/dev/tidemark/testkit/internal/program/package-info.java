/**
 * Programs of random steps, by which an engine is compared with the model and its history checked
 * for serializability.
 *
 * <p>A seed comes in and {@code ProgramGenerator} draws a {@code Program} of reads and writes.
 * {@code ModelCheck} runs it against two databases, {@code SerializabilityCheck} runs many at once
 * and has their {@code History} explained by one order; a program that shows a fault goes out as
 * short as {@code Shrinker} can make it. Only those two call it. Not API: it changes without
 * notice.
 */
@NullMarked
package dev.tidemark.testkit.internal.program;

import org.jspecify.annotations.NullMarked;
