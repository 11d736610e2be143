package dev.tidemark.records.internal.store;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Tuple;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.records.RecordException;
import dev.tidemark.records.RecordExistsException;
import dev.tidemark.records.RecordMissingException;
import dev.tidemark.records.RefusedRecordException;
import dev.tidemark.records.RelationshipException;
import dev.tidemark.records.SchemaException;
import dev.tidemark.records.UniquenessException;
import dev.tidemark.records.internal.changes.Capture;
import dev.tidemark.records.internal.changes.Wire;
import dev.tidemark.records.internal.format.DynamicCodec;
import dev.tidemark.records.internal.index.Claims;
import dev.tidemark.records.internal.index.HugeNumbers;
import dev.tidemark.records.internal.index.IndexWriter;
import dev.tidemark.records.internal.index.IndexWriter.Image;
import dev.tidemark.records.internal.index.Maintainer.Change;
import dev.tidemark.records.internal.index.OpenType;
import dev.tidemark.records.internal.keys.Columns;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.keys.KeySpan;
import dev.tidemark.records.internal.keys.StoreKeys;
import dev.tidemark.records.internal.keys.StoreKeys.RecordKey;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.SpaceState;
import dev.tidemark.records.internal.space.StoredRecords;
import dev.tidemark.records.internal.space.StoredRecords.Found;
import dev.tidemark.records.internal.space.StoredRows;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
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
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The implementation of {@link dev.tidemark.records.RecordStore}: the records of one type in a
 * store.
 */
public final class Records<R> {
  private final Space space;
  private final RecordType<R> type;
  private final StoredRecords<R> stored;
  private final Capture capture;
  private final Columns primaryKey;
  private final @Nullable Expiry expiry;
  private final Relations relations;

  /** What a save requires of the existing record. */
  public enum Existence {
    /** Anything. */
    ANY,
    /** No record. */
    ABSENT,
    /** A record. */
    PRESENT
  }

  /** The records of {@code type} in {@code space}. */
  private Records(Space space, RecordType<R> type) {
    this.space = space;
    this.capture = Capture.of(space);
    this.type = type;
    this.stored = new StoredRecords<>(space, type);
    this.primaryKey =
        Columns.of(type, type.spec().primaryKey().stream().map(ColumnSpec::of).toList());
    this.expiry = type.spec().expiry().map(spec -> Expiry.of(type, spec)).orElse(null);
    this.relations = new Relations(space, type);
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

  // ---- writes

  /**
   * Saves {@code record} if the existing one meets {@code existence}, and returns what was saved.
   */
  public R save(Transaction tx, R record, Existence existence) {
    if (type.codec() instanceof DynamicCodec) {
      var unused = primaryKey(record); // refuses an absent key, which a zero would hide
    }
    R filled = type.codec().withDefaults(record, now());
    Tuple pk = primaryKey(filled);
    try {
      prepareSave(tx, filled, pk, existence, change -> {}).apply();
    } catch (UniquenessException taken) {
      if (!removeIfExpired(tx, taken.existing())) {
        throw taken;
      }
      return save(tx, record, existence);
    }
    return filled;
  }

  private Pending prepareSave(
      Transaction tx, R record, Tuple pk, Existence existence, Consumer<Change> alsoCheck) {
    SpaceState state = space.writableState(tx);
    RecordKey key = state.type(type.name()).keys().record(pk);
    Found<R> found = null;
    Pending refusedGoes = () -> {};
    boolean alive;
    try {
      found = readToChange(tx, state, key, pk);
      alive = found != null && !isExpired(found.record());
    } catch (RefusedRecordException refused) {
      Records<?> classless = classless(refused);
      alive = classless.load(tx, pk).isPresent();
      refusedGoes = classless.prepareDelete(tx, pk);
    }
    return prepareSave(
        tx, state, new Before<>(found, alive, refusedGoes), record, pk, existence, alsoCheck);
  }

  /**
   * The record before a save.
   *
   * @param found the record; null if there is none, or if its class refuses it
   * @param alive whether there is a record that has not expired
   * @param refusedGoes deletes the record that its class refuses
   */
  private record Before<R>(@Nullable Found<R> found, boolean alive, Pending refusedGoes) {}

  private Pending prepareSave(
      Transaction tx,
      SpaceState state,
      Before<R> there,
      R record,
      Tuple pk,
      Existence existence,
      Consumer<Change> alsoCheck) {
    OpenType open = state.type(type.name());
    RecordKey key = open.keys().record(pk);
    Found<R> found = there.found();
    boolean alive = there.alive();
    if (existence == Existence.ABSENT && alive) {
      throw new RecordExistsException(type.name(), pk);
    }
    if (existence == Existence.PRESENT && !alive) {
      throw new RecordMissingException(type.name(), pk);
    }
    byte[] encoded = stored.encode(record, alive ? found : null);
    stored.checkSize(key, encoded, pk);
    Image before = found == null ? null : image(found);
    List<Change> changes = IndexWriter.changes(tx, open, before, new Image(record, encoded, 0), pk);
    for (Change change : changes) {
      change.check(tx, pk);
      alsoCheck.accept(change);
    }
    return () -> {
      there.refusedGoes().apply();
      for (Change change : changes) {
        change.remove(tx, pk);
      }
      if (found == null || !found.isStoredAs(encoded)) {
        stored.write(tx, key, encoded, found);
      }
      Wire after = new Wire(encoded);
      capture.changed(tx, state, type.name(), key, wire(found), !alive, after);
      if (type.spec().versions()) {
        space.stampVersion(tx, key);
      }
      for (Change change : changes) {
        change.add(tx, pk);
      }
      ChangedEntries.count(tx, space, state, type.name(), found == null, changes);
    };
  }

  /** The same records as dynamic ones, because their class {@code refused} one of them. */
  private Records<?> classless(RefusedRecordException refused) {
    if (type.codec() instanceof DynamicCodec) {
      throw refused;
    }
    Space untyped = space.untyped();
    return of(untyped, untyped.schema().type(type.name()).orElseThrow());
  }

  /** Reads the record with {@code key} for a change. */
  private @Nullable Found<R> readToChange(
      Transaction tx, SpaceState state, RecordKey key, Tuple pk) {
    byte[] main = capture.fetch(tx, state, type.name(), key);
    return main == null ? null : stored.decode(tx, key, main, pk);
  }

  private static Image image(Found<?> found) {
    return new Image(found.record(), found.bytes(), found.start());
  }

  private @Nullable Wire wire(@Nullable Found<R> found) {
    return found == null ? null : new Wire(found.bytes(), found.start());
  }

  /**
   * Deletes the record with {@code pk}, applies its relationships, and returns whether it existed.
   */
  public boolean delete(Transaction tx, Tuple pk) {
    SpaceState state = space.writableState(tx);
    RecordKey key = state.type(type.name()).keys().record(pk);
    try {
      Found<R> found = readToChange(tx, state, key, pk);
      if (found == null) {
        return false;
      }
      remove(tx, state, key, found, pk);
      return !isExpired(found.record());
    } catch (RefusedRecordException refused) {
      return classless(refused).delete(tx, pk);
    }
  }

  private void remove(Transaction tx, SpaceState state, RecordKey key, Found<R> found, Tuple pk) {
    if (relations.isEmpty()) {
      prepareDelete(tx, state, key, found, pk).apply();
    } else {
      DeletePlan.of(space, tx, type, List.of(pk)).forEach(Pending::apply);
    }
  }

  /** Prepares the delete of the record with {@code pk} alone. */
  Pending prepareDelete(Transaction tx, Tuple pk) {
    SpaceState state = space.writableState(tx);
    RecordKey key = state.type(type.name()).keys().record(pk);
    Found<R> found;
    try {
      found = readToChange(tx, state, key, pk);
    } catch (RefusedRecordException refused) {
      return classless(refused).prepareDelete(tx, pk);
    }
    return found == null ? () -> {} : prepareDelete(tx, state, key, found, pk);
  }

  private Pending prepareDelete(
      Transaction tx, SpaceState state, RecordKey key, Found<R> found, Tuple pk) {
    OpenType open = state.type(type.name());
    boolean expired = isExpired(found.record());
    List<Change> changes = IndexWriter.changes(tx, open, image(found), null, pk);
    return () -> {
      for (Change change : changes) {
        change.remove(tx, pk);
      }
      erase(tx, key, found);
      capture.changed(tx, state, type.name(), key, wire(found), expired, null);
      ChangedEntries.count(tx, space, state, type.name(), true, changes);
    };
  }

  /**
   * Prepares the removal of the references {@code lost} from the record with {@code pk}; {@code
   * claims} is shared by all records of the plan.
   */
  Pending prepareUnlink(Transaction tx, Tuple pk, List<DeletePlan.Lost> lost, Claims claims) {
    RecordKey key = space.writableState(tx).type(type.name()).keys().record(pk);
    Found<R> found;
    try {
      found = stored.read(tx, key, pk);
    } catch (RefusedRecordException refused) {
      return classless(refused).prepareUnlink(tx, pk, lost, claims);
    }
    if (found == null) {
      return () -> {};
    }
    R record = found.record();
    for (DeletePlan.Lost one : lost) {
      record = type.codec().with(record, one.field(), without(record, one));
    }
    return prepareSave(tx, record, pk, Existence.ANY, change -> claims.take(change, pk));
  }

  /** The value of a field without one key: null, or the other elements. */
  private @Nullable Object without(R record, DeletePlan.Lost lost) {
    FieldType fieldType = type.spec().field(lost.field()).orElseThrow().type();
    Object value = type.codec().get(record, lost.field());
    return switch (fieldType) {
      case FieldType.ListOf list ->
          others((Collection<?>) value, list.element(), lost.target()).toList();
      case FieldType.SetOf set ->
          others((Collection<?>) value, set.element(), lost.target()).collect(Collectors.toSet());
      case FieldType.Scalar scalar -> null;
      case FieldType.Constants constants -> null;
      case FieldType.Nested nested -> throw new AssertionError(nested.name());
      case FieldType.MapOf map -> throw new AssertionError("a map");
    };
  }

  private static Stream<?> others(@Nullable Collection<?> all, FieldType element, Tuple target) {
    return all == null
        ? Stream.empty()
        : all.stream().filter(one -> !Tuple.of(KeyElements.element(element, one)).equals(target));
  }

  /** Deletes the record with {@code pk} if it has expired, and returns whether it did. */
  private boolean removeIfExpired(Transaction tx, Tuple pk) {
    SpaceState state = space.writableState(tx);
    RecordKey key = state.type(type.name()).keys().record(pk);
    Found<R> found;
    try {
      found = readToChange(tx, state, key, pk);
    } catch (RefusedRecordException refused) {
      return classless(refused).removeIfExpired(tx, pk);
    }
    if (found == null || !isExpired(found.record())) {
      return false;
    }
    remove(tx, state, key, found, pk);
    return true;
  }

  /**
   * Deletes up to {@code max} records that have expired, from {@code place} on. Records that must
   * not be deleted, or that have expired only by the index, are skipped; the sweep ends after about
   * {@code keptMax} of them.
   */
  public SweptRecords sweep(Transaction tx, Optional<Key> place, int max, int keptMax) {
    Expiry when = expiry;
    if (when == null) {
      return new SweptRecords(0, Optional.empty(), Optional.empty());
    }
    Instant now = now();
    Optional<Key> next = place;
    int swept = 0;
    int kept = 0;
    RecordException failure = null;
    while (swept < max && kept < keptMax) {
      int most = max - swept;
      List<Expiry.Over> some = when.over(tx, space, now, next, most);
      for (Expiry.Over each : some) {
        try {
          if (sweepOne(tx, each.primaryKey())) {
            swept++;
          } else {
            kept++;
          }
        } catch (RelationshipException forbidden) {
          kept++;
        } catch (RecordException impossible) {
          kept++;
          failure = failure == null ? impossible : failure;
        }
      }
      if (some.size() < most) {
        return new SweptRecords(swept, Optional.empty(), Optional.ofNullable(failure));
      }
      next = Optional.of(some.getLast().entry().next());
    }
    return new SweptRecords(swept, next, Optional.ofNullable(failure));
  }

  private boolean sweepOne(Transaction tx, Tuple pk) {
    SpaceState state = space.writableState(tx);
    return capture.sweeping(tx, state, () -> removeIfExpired(tx, pk));
  }

  /** The key behind the first expired record from {@code place} on; empty if there is none. */
  public Optional<Key> behindFirstExpired(ReadTransaction tx, Optional<Key> place) {
    return Optional.ofNullable(expiry)
        .flatMap(when -> when.over(tx, space, now(), place, 1).stream().findFirst())
        .map(first -> first.entry().next());
  }

  /** Deletes the records whose primary keys begin with {@code prefix}. */
  public void deleteStartingWith(Transaction tx, Tuple prefix) {
    new RangeDelete<>(space, type).run(tx, KeySpan.startingWith(prefix));
  }

  /** Deletes the records whose primary keys are from {@code from} on and before {@code to}. */
  public void deleteBetween(Transaction tx, Tuple from, Tuple to) {
    new RangeDelete<>(space, type).run(tx, KeySpan.between(from, to));
  }

  private void erase(Transaction tx, RecordKey key, Found<R> found) {
    if (found.inPieces()) {
      tx.clear(key.all());
    } else {
      tx.clear(key.main());
    }
    if (type.spec().versions()) {
      tx.clear(key.version());
    }
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
      return classless(refused).isThere(tx, pk);
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

  Relations relations() {
    return relations;
  }

  private boolean isExpired(R record) {
    return expiry != null && expiry.isOver(record, now());
  }

  private Instant now() {
    return space.database().time().instant();
  }
}
