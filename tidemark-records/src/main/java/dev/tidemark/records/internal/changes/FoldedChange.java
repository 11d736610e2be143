package dev.tidemark.records.internal.changes;

import dev.tidemark.records.internal.keys.StoreKeys.RecordKey;
import org.jspecify.annotations.Nullable;

/**
 * What one transaction does to one record, however often it changes it: what was there first and
 * what is there last. A record that had expired counts as deleted by the store before the
 * transaction did anything. Guarded by the {@link CapturedChanges} that it belongs to.
 */
final class FoldedChange {
  private final String type;
  private final RecordKey key;
  private final @Nullable Wire expired;
  private final @Nullable Wire old;
  private @Nullable Wire now;
  private boolean system;

  FoldedChange(String type, RecordKey key, @Nullable Wire before, boolean isExpired) {
    this.type = type;
    this.key = key;
    this.expired = isExpired ? before : null;
    this.old = isExpired ? null : before;
  }

  void becomes(@Nullable Wire after, boolean bySystem) {
    now = after;
    system = bySystem;
  }

  String type() {
    return type;
  }

  RecordKey key() {
    return key;
  }

  /** What the record was that had expired before. */
  @Nullable Wire expired() {
    return expired;
  }

  /** What was there before the transaction. */
  @Nullable Wire old() {
    return old;
  }

  /** What the transaction left. */
  @Nullable Wire now() {
    return now;
  }

  /** Whether the store did it by itself. */
  boolean bySystem() {
    return system;
  }
}
