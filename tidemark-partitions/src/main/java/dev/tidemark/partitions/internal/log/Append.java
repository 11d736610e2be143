package dev.tidemark.partitions.internal.log;

import dev.tidemark.partitions.Effects;
import org.jspecify.annotations.Nullable;

/**
 * A record to append, with what else belongs into its transaction.
 *
 * @param record the bytes of the record
 * @param effects what else the request does
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Append(byte[] record, @Nullable Effects effects) {}
