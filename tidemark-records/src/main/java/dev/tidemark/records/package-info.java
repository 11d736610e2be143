/**
 * Typed records with indexes, on an ordered, transactional key-value store.
 *
 * <p>A Java record with {@link dev.tidemark.records.annotation.Recordable} becomes a stored type. A
 * {@link dev.tidemark.records.RecordStore} saves, loads and deletes its records within transactions
 * of the caller, and keeps every index of the type right in the same commit.
 */
@NullMarked
package dev.tidemark.records;

import org.jspecify.annotations.NullMarked;
