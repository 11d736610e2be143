package dev.tidemark.records.internal.space;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.StoreKeys.RecordKey;

/**
 * A stored record with its keys.
 *
 * @param <R> the Java class of the record
 * @param primaryKey its primary key
 * @param key its keys
 * @param record the record
 * @param bytes the size of its key and its value
 * @param encryptedAsNow whether it has the encryption of new records
 */
public record StoredRow<R>(
    Tuple primaryKey, RecordKey key, R record, int bytes, boolean encryptedAsNow) {}
