package dev.tidemark.records.internal.store;

import dev.tidemark.kv.Key;
import java.util.Optional;

/**
 * The result of one transaction of a sweep.
 *
 * @param deleted the number of deleted records
 * @param next where the next transaction resumes; empty at the end
 * @param failure why the first record stays that cannot be deleted for another reason than a
 *     relationship; empty if there is none
 */
public record SweptRecords(
    int deleted, Optional<Key> next, Optional<? extends RuntimeException> failure) {}
