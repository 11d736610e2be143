package dev.tidemark.records.internal;

import dev.tidemark.records.RecordType;
import dev.tidemark.records.TypeSpec;
import java.time.Duration;
import java.time.Instant;

/** Tells when records of a type are over. */
final class Expiry {
  private final RecordType<Object> type;
  private final int field;
  private final Duration after;

  private Expiry(RecordType<Object> type, int field, Duration after) {
    this.type = type;
    this.field = field;
    this.after = after;
  }

  @SuppressWarnings("unchecked") // records come from the store of this type
  static Expiry of(RecordType<?> type, TypeSpec.Expiry spec) {
    return new Expiry((RecordType<Object>) type, spec.field(), spec.after());
  }

  boolean isOver(Object record, Instant now) {
    return type.codec().get(record, field) instanceof Instant time
        && !time.plus(after).isAfter(now);
  }
}
