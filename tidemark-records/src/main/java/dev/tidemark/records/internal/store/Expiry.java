package dev.tidemark.records.internal.store;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.IndexStateException;
import dev.tidemark.records.internal.index.ValueMaintainer;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.SpaceState;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.TypeSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The expiry of records of one type. */
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
        && !time.isAfter(now.minus(after));
  }

  /**
   * An expired record.
   *
   * @param entry the key by which it was found
   * @param primaryKey its primary key
   */
  record Over(Key entry, Tuple primaryKey) {}

  /** Up to {@code max} expired records, the oldest first, from {@code place} on. */
  List<Over> over(ReadTransaction tx, Space space, Instant now, Optional<Key> place, int max) {
    ValueMaintainer index = index(space, space.state(tx));
    Object limit = KeyElements.element(FieldType.Scalar.INSTANT, now.minus(after));
    Key begin = index.keys().entries().pack(Tuple.of((Object) null)).append((byte) 0xff);
    Key end = index.keys().entries().pack(Tuple.of(limit)).append((byte) 0xff);
    List<Over> found = new ArrayList<>();
    Key from = place.filter(key -> key.compareTo(begin) > 0).orElse(begin);
    if (from.compareTo(end) >= 0) {
      return found;
    }
    for (KeyValue row : tx.scan(KeyRange.of(from, end)).limit(max)) {
      Tuple entry = index.keys().entries().unpack(row.key());
      found.add(new Over(row.key(), index.primaryKeyOf(entry)));
    }
    return found;
  }

  /** The index by the time of expiry, which every schema with an expiry has. */
  private ValueMaintainer index(Space space, SpaceState state) {
    IndexSpec wanted = IndexSpec.implied(type.name(), ColumnSpec.of(field));
    return state.readableFor(wanted).orElseThrow(() -> notReadable(space, state, wanted));
  }

  private static IndexStateException notReadable(Space space, SpaceState state, IndexSpec wanted) {
    IndexSpec declared =
        space.schema().indexes().stream()
            .filter(index -> index.replaces(wanted))
            .findFirst()
            .orElseThrow();
    IndexState now = state.state(declared.name());
    return new IndexStateException(
        declared.name(),
        now,
        "The index '%s', by which expired records are found, is %s; build it first"
            .formatted(declared.name(), now));
  }
}
