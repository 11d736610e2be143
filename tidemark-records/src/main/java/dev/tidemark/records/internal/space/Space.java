package dev.tidemark.records.internal.space;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.MetadataVersion;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.SchemaException;
import dev.tidemark.records.StoreOptions;
import dev.tidemark.records.internal.format.Header;
import dev.tidemark.records.internal.format.RecordBytes;
import dev.tidemark.records.internal.format.SchemaBytes;
import dev.tidemark.records.internal.index.SaveOrder;
import dev.tidemark.records.internal.keys.StoreKeys;
import dev.tidemark.records.schema.Schema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A store with its schema, as all who read and write it share it. */
public final class Space {
  /**
   * Follows the key of a record in the authenticated data of a change, to tell it from the record.
   */
  private static final byte CHANGE_DOMAIN = 'c';

  private final Database database;
  private final Schema schema;
  private final StoreKeys keys;
  private final StoreOptions options;
  private final RecordBytes bytes;
  private final HeaderCache headers;
  private final ActivityCounts activity;
  private final Map<Class<?>, Object> parts = new ConcurrentHashMap<>();
  private volatile @Nullable Space untyped;

  public Space(Database database, Schema schema, Subspace root, StoreOptions options) {
    this(database, schema, new StoreKeys(root), options, new ActivityCounts());
  }

  private Space(
      Database database,
      Schema schema,
      StoreKeys keys,
      StoreOptions options,
      ActivityCounts activity) {
    this.database = database;
    this.schema = schema;
    this.keys = keys;
    this.options = options;
    this.bytes = new RecordBytes(options);
    this.headers = new HeaderCache(this);
    this.activity = activity;
  }

  /** The database that holds the store. */
  public Database database() {
    return database;
  }

  /** The schema that the store was opened with. */
  public Schema schema() {
    return schema;
  }

  /** The options of the store. */
  public StoreOptions options() {
    return options;
  }

  /** The key layout of the store. */
  public StoreKeys keys() {
    return keys;
  }

  /** Counts what is done through the store, with its records typed or {@link #untyped}. */
  public ActivityCounts activity() {
    return activity;
  }

  /**
   * An object that a higher package attaches to the store, one of each class; {@code make} creates
   * it at the first call.
   */
  public <T> T part(Class<T> kind, Function<Space, T> make) {
    return kind.cast(parts.computeIfAbsent(kind, absent -> make.apply(this)));
  }

  RecordBytes bytes() {
    return bytes;
  }

  /**
   * This store with dynamic records, for work on records that their class refuses. Keys, indexes
   * and streams are the same.
   */
  public Space untyped() {
    Space known = untyped;
    if (known == null) {
      Schema classless = SchemaBytes.decode(SchemaBytes.encode(schema));
      known = new Space(database, classless, keys, options, activity);
      untyped = known;
    }
    return known;
  }

  /** The state of the store that {@code tx} sees. */
  public SpaceState state(ReadTransaction tx) {
    return headers.state(tx);
  }

  /** The state of the store that {@code tx} sees; {@code tx} conflicts with every change of it. */
  public SpaceState writableState(Transaction tx) {
    tx.addReadConflict(keys.header());
    return state(tx);
  }

  /**
   * The state of the store that {@code tx} sees, for changes of more than records. Only programs
   * with the newest schema may make them: others do not know all indexes and streams.
   */
  public SpaceState ownState(Transaction tx) {
    SpaceState state = writableState(tx);
    if (state.header().schemaVersion() != schema.version()) {
      throw new SchemaException(
          "The store at %s has schema version %d; this program has version %d and may read and write records, but indexes, streams and migrations are changed by programs of the newer version only"
              .formatted(keys.header(), state.header().schemaVersion(), schema.version()));
    }
    return state;
  }

  /** Refuses programs of older schemas from the commit of {@code tx} on. */
  public void refuseOlder(Transaction tx) {
    Header header = ownState(tx).header();
    if (!header.older().isEmpty()) {
      change(tx, header.withOlder(List.of()));
    }
  }

  /** The header that {@code tx} sees; empty if the store does not exist. */
  public Optional<Header> header(ReadTransaction tx) {
    return tx.get(keys.header()).map(Header::parse);
  }

  /** Writes the versionstamp of the commit of {@code tx} for the record with {@code key}. */
  public void stampVersion(Transaction tx, StoreKeys.RecordKey key) {
    byte[] template = new byte[Versionstamp.BYTES + Integer.BYTES];
    int order = SaveOrder.of(tx).next(key.prefix());
    template[Versionstamp.COMMIT_BYTES] = (byte) (order >>> 8);
    template[Versionstamp.COMMIT_BYTES + 1] = (byte) order;
    tx.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, key.version(), template);
  }

  /**
   * Compresses and encrypts {@code content} of a change log like the record with the key {@code
   * main}. It is bound to that key, but cannot be mistaken for the record.
   */
  public byte[] sealChange(byte[] content, Key main) {
    return bytes.pack(content, main.append(CHANGE_DOMAIN).unsafeBytes());
  }

  /** Opens what {@link #sealChange} sealed. */
  public byte[] openChange(byte[] sealed, Key main) {
    return bytes.unpack(sealed, main.append(CHANGE_DOMAIN).unsafeBytes());
  }

  /** Writes {@code header} and invalidates all caches. */
  public void change(Transaction tx, Header header) {
    tx.set(keys.header(), header.toBytes());
    MetadataVersion.change(tx);
  }

  /** Invalidates the cached statistics of all programs with the commit of {@code tx}. */
  public void dropStatistics(Transaction tx) {
    tx.mutate(
        MutationType.SET_VERSIONSTAMPED_VALUE,
        keys.statisticsStamp(),
        new byte[Versionstamp.BYTES + Integer.BYTES]);
    MetadataVersion.change(tx);
  }
}
