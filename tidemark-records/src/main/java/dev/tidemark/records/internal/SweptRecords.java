package dev.tidemark.records.internal;

import dev.tidemark.kv.Key;
import java.util.Optional;

/**
 * What one transaction has done with records that have expired.
 *
 * @param deleted how many it deleted
 * @param next where another one goes on; empty if it came to the last
 */
public record SweptRecords(int deleted, Optional<Key> next) {}
