package dev.tidemark.records.internal.store;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.RefusedRecordException;
import dev.tidemark.records.SchemaException;
import dev.tidemark.records.internal.index.HugeNumbers;
import dev.tidemark.records.internal.keys.Columns;
import dev.tidemark.records.internal.keys.StoreKeys;
import dev.tidemark.records.internal.keys.StoreKeys.RecordKey;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.StoredRecords;
import dev.tidemark.records.internal.space.StoredRecords.Found;
import dev.tidemark.records.internal.space.StoredRows;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.RecordType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The records of one type in a store, to be read. {@link RecordWrites} saves and deletes them,
 * {@link ExpiredRecords} deletes those that have expired.
 */
public final class Records<R> {
  private final Space space;
  private final RecordType<R> type;
  private final StoredRecords<R> stored;
  private final Columns primaryKey;
  private final @Nullable Expiry expiry;
  private final RecordWrites<R> writes;
  private final ExpiredRecords<R> expired;

  /** The records of {@code type} in {@code space}. */
  private Records(Space space, RecordType<R> type) {
    this.space = space;
    this.type = type;
    this.stored = new StoredRecords<>(space, type);
    this.primaryKey =
        Columns.of(type, type.spec().primaryKey().stream().map(ColumnSpec::of).toList());
    this.expiry = type.spec().expiry().map(spec -> Expiry.of(type, spec)).orElse(null);
    this.writes = new RecordWrites<>(space, type, this);
    this.expired = new ExpiredRecords<>(space, this);
  }

  // ---- keys

  /** The records of {@code type}, which is one of the schema of {@code space}. */
  @SuppressWarnings("unchecked") // a schema has one type of a name
  public static <R> Records<R> of(Space space, RecordType<R> type) {
    return (Records<R>)
        space
            .part(All.class, all -> new All())
            .byType
            .computeIfAbsent(type.name(), name -> new Records<>(space, type));
  }

  /** The instances of all types of a space. */
  private static final class All {
    private final Map<String, Records<?>> byType = new ConcurrentHashMap<>();
  }

  /** The primary key of {@code record}. */
  public Tuple primaryKey(R record) {
    @Nullable Object[] parts = primaryKey.rows(record).getFirst();
    for (int i = 0; i < parts.length; i++) {
      if (parts[i] == null) {
        throw new SchemaException(
            "The field '%s' of a %s is null; a primary key has no nulls"
                .formatted(keyField(i).name(), type.name()));
      }
    }
    try {
      return Tuple.of(parts);
    } catch (IllegalArgumentException wrong) {
      throw HugeNumbers.explainKey(type, record, wrong);
    }
  }

  /** The primary key made of {@code values}, which are values of its fields. */
  public Tuple primaryKey(Object[] values) {
    return type.spec().key(values);
  }

  /** The prefix of the primary keys whose first fields have {@code values}. */
  public Tuple primaryKeyPrefix(Object[] values) {
    return type.spec().keyPrefix(values);
  }

  private FieldSpec keyField(int place) {
    return type.spec().field(type.spec().primaryKey().get(place)).orElseThrow();
  }

  /** Saves and deletes these records. */
  public RecordWrites<R> writes() {
    return writes;
  }

  /** Those of the records that have expired. */
  public ExpiredRecords<R> expired() {
    return expired;
  }

  // ---- reads

  /** The record with {@code pk}. */
  public Optional<R> load(ReadTransaction tx, Tuple pk) {
    RecordKey key = space.state(tx).type(type.name()).keys().record(pk);
    Found<R> found = stored.read(tx, key, pk);
    return found == null || isExpired(found.record())
        ? Optional.empty()
        : Optional.of(found.record());
  }

  /** Whether there is a record with {@code pk} that has not expired. */
  boolean isThere(ReadTransaction tx, Tuple pk) {
    try {
      return load(tx, pk).isPresent();
    } catch (RefusedRecordException refused) {
      return writes.classless(refused).isThere(tx, pk);
    }
  }

  /** The primary keys of at most {@code max} stored records in {@code range}. */
  List<Tuple> keysIn(ReadTransaction tx, KeyRange range, int max) {
    StoreKeys.TypeKeys keys = space.state(tx).type(type.name()).keys();
    List<Tuple> found = new ArrayList<>();
    Iterator<KeyValue> rows = tx.scan(range).iterator();
    while (found.size() < max && rows.hasNext()) {
      Tuple whole = keys.space().unpack(rows.next().key());
      int last = whole.size() - 1;
      if (whole.getLong(last) == RecordKey.MAIN) {
        found.add(whole.subTuple(0, last));
      }
    }
    return found;
  }

  /** The existing records of {@code pks}, in that order. */
  public Map<Tuple, R> loadAll(ReadTransaction tx, Collection<Tuple> pks) {
    Map<Tuple, R> records = new LinkedHashMap<>();
    load(tx, pks, records::put);
    return records;
  }

  /** The existing records of {@code pks}, one for each occurrence of a key. */
  List<R> loadEach(ReadTransaction tx, Collection<Tuple> pks) {
    List<R> records = new ArrayList<>(pks.size());
    load(tx, pks, (pk, record) -> records.add(record));
    return records;
  }

  private void load(ReadTransaction tx, Collection<Tuple> pks, BiConsumer<Tuple, R> to) {
    StoreKeys.TypeKeys keys = space.state(tx).type(type.name()).keys();
    List<RecordKey> wanted = new ArrayList<>(pks.size());
    List<Key> mains = new ArrayList<>(pks.size());
    for (Tuple pk : pks) {
      RecordKey key = keys.record(pk);
      wanted.add(key);
      mains.add(key.main());
    }
    Map<Key, byte[]> values = tx.getAll(mains);
    int next = 0;
    for (Tuple pk : pks) {
      byte[] main = values.get(mains.get(next));
      RecordKey key = wanted.get(next++);
      if (main != null) {
        R record = stored.decode(tx, key, main, pk).record();
        if (!isExpired(record)) {
          to.accept(pk, record);
        }
      }
    }
  }

  /** The commit that saved the record with {@code pk} last, if its type keeps versions. */
  public Optional<Versionstamp> version(ReadTransaction tx, Tuple pk) {
    RecordKey key = space.state(tx).type(type.name()).keys().record(pk);
    return tx.get(key.version()).map(Versionstamp::fromBytes);
  }

  /** All records whose primary keys are in {@code range} of {@link #keyRange}, in order. */
  public Iterator<R> scan(ReadTransaction tx, KeyRange range, boolean reverse) {
    StoreKeys.TypeKeys keys = space.state(tx).type(type.name()).keys();
    return new RecordIterator<>(
        new StoredRows<>(tx, keys, stored, range, reverse), this::isExpired);
  }

  /** All stored records in {@code range}, including expired ones. */
  public StoredRows<R> rows(ReadTransaction tx, KeyRange range) {
    StoreKeys.TypeKeys keys = space.state(tx).type(type.name()).keys();
    return new StoredRows<>(tx, keys, stored, range, false);
  }

  /** The range of keys of the records whose primary keys begin with {@code prefix}. */
  public KeyRange keyRange(ReadTransaction tx, Tuple prefix) {
    Key begin = space.state(tx).type(type.name()).keys().space().pack(prefix);
    return prefix.isEmpty()
        ? KeyRange.startingWith(begin)
        : KeyRange.of(begin, begin.append((byte) 0xff));
  }

  /** The bytes of the records. */
  StoredRecords<R> stored() {
    return stored;
  }

  /** When records of the type expire; null if they do not. */
  @Nullable Expiry expiry() {
    return expiry;
  }

  boolean isExpired(R record) {
    return expiry != null && expiry.isOver(record, now());
  }

  Instant now() {
    return space.database().time().instant();
  }
}
