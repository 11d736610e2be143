/**
 * Packed elements, as bytes and nothing more: which byte says which type ({@code TupleCode}), where
 * each element begins and whether every byte is as it has to be ({@code TupleScan}), the values
 * ({@code TupleDecoder}), and how a person reads them ({@code KeyPrinter}). Bytes come in;
 * positions, values and text go out. Keys and versionstamps print themselves with it, and tuples
 * are made on top of it, so it knows neither. Only {@code dev.tidemark.kv} and the packages below
 * may call it.
 */
@NullMarked
package dev.tidemark.kv.internal;

import org.jspecify.annotations.NullMarked;
