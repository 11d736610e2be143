package dev.tidemark.records.internal.space;

import dev.tidemark.kv.Tuple;
import dev.tidemark.records.internal.keys.StoreKeys.RecordKey;

/**
 * A record with where it is stored.
 *
 * @param <R> the Java class of the record
 * @param primaryKey its primary key
 * @param key its keys
 * @param record the record
 * @param bytes how long its key and its value are
 * @param encryptedAsNow whether it has the encryption that a save would give it
 */
public record StoredRow<R>(
    Tuple primaryKey, RecordKey key, R record, int bytes, boolean encryptedAsNow) {}
