/**
 * The store in your JVM: durable in a directory, or in memory.
 *
 * <p>{@link dev.tidemark.embedded.EmbeddedDatabase#open} is all that a program needs.
 */
@NullMarked
package dev.tidemark.embedded;

import org.jspecify.annotations.NullMarked;
