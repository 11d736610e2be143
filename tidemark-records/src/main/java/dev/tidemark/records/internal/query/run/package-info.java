/**
 * Runs a plan within a transaction.
 *
 * <p>{@code Execution} turns a plan into {@code Rows}, which take keys from {@code scan}, test them
 * with {@code match}, load records, merge, sort and leave out. Each gives one {@code Hit} after the
 * other, of which {@code HitReader} makes what the program asked for. {@code engine} calls it.
 */
@NullMarked
package dev.tidemark.records.internal.query.run;

import org.jspecify.annotations.NullMarked;
