package dev.tidemark.records.internal;

import dev.tidemark.kv.Tuple;
import dev.tidemark.records.internal.StoreKeys.RecordKey;

/**
 * A record with where it is stored.
 *
 * @param primaryKey its primary key
 * @param key its keys
 * @param record the record
 * @param bytes how long its key and its value are
 */
record StoredRow(Tuple primaryKey, RecordKey key, Object record, int bytes) {}
