/**
 * Keys made of values. A {@code Tuple} packs values into bytes whose order is theirs; a {@code
 * Subspace} puts a prefix before such keys and takes it off again; a {@code RangeSet} keeps in a
 * subspace which part of a key space has been done. Values come in and keys go out, or the other
 * way round; a transaction is needed for range sets alone. Programs and all layers may use it. It
 * knows the keys, ranges and transactions of {@code dev.tidemark.kv}, which know nothing of it.
 */
@NullMarked
package dev.tidemark.kv.tuple;

import org.jspecify.annotations.NullMarked;
