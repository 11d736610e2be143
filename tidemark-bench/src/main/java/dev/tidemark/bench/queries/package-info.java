/**
 * {@code bench queries}: does a program that asks in the language of its records get its answers as
 * fast as from SQL. The people that are stored, the questions and the SQL of the rivals are here.
 * Each question is asked of record stores and of SQL databases with the same indexes. Only the
 * command calls it.
 */
@NullMarked
package dev.tidemark.bench.queries;

import org.jspecify.annotations.NullMarked;
