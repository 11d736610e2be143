/**
 * Tests of rows: whether an entry of an index or a stored record meets a condition.
 *
 * <p>A condition with the values of one call comes in, a {@code RowTest} goes out. There is one
 * kind of test for each form of a row: the elements of an entry, the bytes of a record before it is
 * decoded ({@code WireTests}), and the record itself. All answer true, false or unknown in the same
 * way. {@code run} and {@code group} call it.
 */
@NullMarked
package dev.tidemark.records.internal.query.match;

import org.jspecify.annotations.NullMarked;
