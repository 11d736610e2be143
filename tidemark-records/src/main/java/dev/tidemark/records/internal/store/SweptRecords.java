package dev.tidemark.records.internal.store;

import dev.tidemark.kv.Key;
import java.util.Optional;

/**
 * What one transaction has done with records that have expired.
 *
 * @param deleted how many it deleted
 * @param next where another one goes on; empty if it came to the last
 * @param failure why the first of those stays that cannot be deleted though no other record forbids
 *     it; empty if there is none
 */
public record SweptRecords(
    int deleted, Optional<Key> next, Optional<? extends RuntimeException> failure) {}
