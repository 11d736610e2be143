/**
 * The kinds of indexes: which entries a record gives, and how they are added and removed.
 *
 * <p>{@code Maintainers} picks the {@code Maintainer} of an index by its kind; a new kind is a
 * class here and a line there. A record and its primary key come in; reads and writes in the
 * caller's transaction go out. {@code IndexWriter} compares the entries before and after a change
 * of a record. The packages {@code store}, {@code build} and {@code scrub} call it; it knows
 * nothing of spaces.
 */
@NullMarked
package dev.tidemark.records.internal.index;

import org.jspecify.annotations.NullMarked;
