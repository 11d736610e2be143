/**
 * The execution of queries, from the condition to the rows.
 *
 * <p>{@code condition} says what is asked, {@code plan} finds ways to answer it and chooses one,
 * {@code scan} reads ranges of keys, {@code match} tests entries and records, {@code run} puts
 * these together, {@code group} makes groups and joins of rows, and {@code engine} is the way in.
 * No two of them need each other. {@code QueryEngine}, here, is what public types and {@code group}
 * know of all that.
 */
@NullMarked
package dev.tidemark.records.internal.query;

import org.jspecify.annotations.NullMarked;
