/** Queries written as text. */
@NullMarked
package dev.tidemark.records.internal.sql;

import org.jspecify.annotations.NullMarked;
