package dev.tidemark.records.internal.space;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.codec.RecordReader;
import dev.tidemark.records.internal.format.RecordBytes;
import dev.tidemark.records.internal.index.Maintainer;
import dev.tidemark.records.internal.index.Places;
import dev.tidemark.records.internal.index.RankMaintainer;
import dev.tidemark.records.internal.keys.StoreKeys;
import dev.tidemark.records.schema.RecordType;
import java.util.List;
import java.util.function.Consumer;

/** The records and index entries of one type in one state of the store, for queries. */
public final class TypeView<R> {
  private final Space space;
  private final RecordType<R> type;
  private final SpaceState state;
  private final StoreKeys.TypeKeys keys;
  private final StoredRecords<R> stored;

  private TypeView(Space space, RecordType<R> type, SpaceState state) {
    this.space = space;
    this.type = type;
    this.state = state;
    this.keys = state.type(type.name()).keys();
    this.stored = new StoredRecords<>(space, type);
  }

  /** The records of {@code type} in {@code space}, which is in {@code state}. */
  public static <R> TypeView<R> of(Space space, RecordType<R> type, SpaceState state) {
    return new TypeView<>(space, type, state);
  }

  /** The type. */
  public RecordType<R> type() {
    return type;
  }

  /** The schema version of the store. */
  public int schemaVersion() {
    return state.header().schemaVersion();
  }

  /** The store's clock. */
  public TimeSource time() {
    return space.database().time();
  }

  /** The common prefix of the keys of all records. */
  public Key records() {
    return keys.space().prefix();
  }

  /** The common prefix of the keys of all entries of the index {@code name}. */
  public Key entries(String name) {
    return state.maintainer(name).keys().entries().prefix();
  }

  /** The keys of the entries of {@code record} in the index {@code name}. */
  public List<Key> entryKeys(String name, R record, Tuple primaryKey) {
    Maintainer maintainer = state.maintainer(name);
    return maintainer.entries(record, primaryKey).stream()
        .map(entry -> maintainer.keyOf(entry, primaryKey))
        .toList();
  }

  /** The places of entries in one {@code group} of the index {@code name}, which is one of RANK. */
  public Places places(ReadTransaction tx, String name, Tuple group, Consumer<KeyValue> read) {
    if (state.maintainer(name) instanceof RankMaintainer ranks) {
      return ranks.places(tx, group, read);
    }
    throw new IllegalStateException("The index '%s' keeps no places".formatted(name));
  }

  /** Whether {@code value} of a record is its wire format behind a byte of flags. */
  public static boolean isPlain(byte[] value) {
    return RecordBytes.isPlain(value);
  }

  /** The wire format of the record that is stored as {@code value} under {@code key}. */
  public byte[] wire(ReadTransaction tx, Key key, byte[] value) {
    Tuple primaryKey = keys.primaryKey(key);
    return stored.wire(tx, keys.record(primaryKey), value, primaryKey);
  }

  /** The record whose wire format begins at {@code start} of {@code wire}. */
  public R decode(byte[] wire, int start) {
    try {
      return read(wire, start);
    } catch (RuntimeException failure) {
      throw StoredRecords.unreadable("A " + type.name(), failure);
    }
  }

  private R read(byte[] wire, int start) {
    return type.codec().read(new RecordReader(wire, start, wire.length - start));
  }

  /**
   * The same for the record with {@code key}, which the exception names if the record is damaged.
   */
  public R decode(Key key, byte[] wire, int start) {
    try {
      return read(wire, start);
    } catch (RuntimeException failure) {
      throw StoredRecords.unreadable(type, keys.primaryKey(key), failure);
    }
  }
}
