package dev.tidemark.records.query;

/**
 * A record with the record that it refers to.
 *
 * @param left the record that refers
 * @param right the record that it refers to
 * @param <L> the Java class of the one
 * @param <R> the Java class of the other; an {@link java.util.Optional} where there may be none
 */
public record Pair<L, R>(L left, R right) {}
