/**
 * Queries written as text, in a subset of SQL.
 *
 * <p>{@code SqlTokens} and {@code SqlParser} parse a text into a {@code SqlStatement}, in which
 * {@code SqlScope} resolves the names of types and fields. {@code SqlRun} runs it with the engines
 * of {@code query.engine} and returns {@code SqlRows}. {@link dev.tidemark.records.RecordSpace#sql}
 * calls it.
 */
@NullMarked
package dev.tidemark.records.internal.sql;

import org.jspecify.annotations.NullMarked;
