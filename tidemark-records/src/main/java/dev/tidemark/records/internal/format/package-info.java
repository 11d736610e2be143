/**
 * The stored forms of records, of the header of a store and of its schema.
 *
 * <p>Values come in and bytes go out, or the other way round; nothing here reads or writes a store.
 * {@code RecordBytes} compresses and encrypts, {@code DynamicCodec} writes records without a class,
 * {@code Header} and {@code SchemaBytes} keep what a store says of itself. docs/formats describes
 * all of it. Any internal package may use it.
 */
@NullMarked
package dev.tidemark.records.internal.format;

import org.jspecify.annotations.NullMarked;
