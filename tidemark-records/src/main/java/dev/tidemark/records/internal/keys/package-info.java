/**
 * The key layout of stores, and the conversion of values to elements of keys.
 *
 * <p>{@code StoreKeys} and {@code StreamKeys} are the only classes that know the layout of a store
 * and of a change stream. {@code KeyElements} turns the values of fields into elements whose order
 * is that of the values; {@code ColumnReader} takes them from a record. Nothing here reads or
 * writes a store. Any internal package above {@code format} may use it.
 */
@NullMarked
package dev.tidemark.records.internal.keys;

import org.jspecify.annotations.NullMarked;
