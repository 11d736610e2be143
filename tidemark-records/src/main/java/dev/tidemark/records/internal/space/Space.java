package dev.tidemark.records.internal.space;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.MetadataVersion;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Subspace;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.records.SchemaException;
import dev.tidemark.records.StoreOptions;
import dev.tidemark.records.internal.format.Header;
import dev.tidemark.records.internal.format.RecordBytes;
import dev.tidemark.records.internal.format.SchemaBytes;
import dev.tidemark.records.internal.index.SaveOrder;
import dev.tidemark.records.internal.keys.StoreKeys;
import dev.tidemark.records.schema.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store with its schema, as all who read and write it share it. */
public final class Space {
  /** Follows the key of a record where a change of it is authenticated, and not the record. */
  private static final byte CHANGE_DOMAIN = 'c';

  private final Database database;
  private final Schema schema;
  private final StoreKeys keys;
  private final StoreOptions options;
  private final RecordBytes bytes;
  private final HeaderCache headers;
  private final Map<Class<?>, Object> parts = new ConcurrentHashMap<>();
  private volatile @Nullable Space untyped;

  public Space(Database database, Schema schema, Subspace root, StoreOptions options) {
    this.database = database;
    this.schema = schema;
    this.keys = new StoreKeys(root);
    this.options = options;
    this.bytes = new RecordBytes(options);
    this.headers = new HeaderCache(this);
  }

  /** The database that holds the store. */
  public Database database() {
    return database;
  }

  /** The schema that the store was opened with. */
  public Schema schema() {
    return schema;
  }

  /** How it keeps records. */
  public StoreOptions options() {
    return options;
  }

  /** Where everything of the store lies. */
  public StoreKeys keys() {
    return keys;
  }

  /**
   * What a package above leaves with the store, one object of each class: {@code make} is called
   * when it is first asked for.
   */
  public <T> T part(Class<T> kind, Function<Space, T> make) {
    return kind.cast(parts.computeIfAbsent(kind, absent -> make.apply(this)));
  }

  RecordBytes bytes() {
    return bytes;
  }

  /**
   * This store with records that have no class: for what has to be done with records that their
   * class refuses. Keys, indexes and streams are the same.
   */
  public Space untyped() {
    Space known = untyped;
    if (known == null) {
      Schema classless = SchemaBytes.decode(SchemaBytes.encode(schema));
      known = new Space(database, classless, keys.root(), options);
      untyped = known;
    }
    return known;
  }

  /** The store as {@code tx} finds it. */
  public SpaceState state(ReadTransaction tx) {
    return headers.state(tx);
  }

  /** The store as {@code tx} finds it; {@code tx} conflicts with whoever changes it. */
  public SpaceState writableState(Transaction tx) {
    tx.addReadConflict(keys.header());
    return state(tx);
  }

  /**
   * The store as {@code tx} finds it, to change more of it than records. That is for programs with
   * its newest schema only: others do not know all that it has.
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

  /** The header as {@code tx} finds it; empty if the store is gone. */
  public Optional<Header> header(ReadTransaction tx) {
    return tx.get(keys.header()).map(Header::parse);
  }

  /** Has the commit of {@code tx} write its versionstamp beside the record with {@code key}. */
  public void stampVersion(Transaction tx, StoreKeys.RecordKey key) {
    byte[] template = new byte[Versionstamp.BYTES + Integer.BYTES];
    int order = SaveOrder.of(tx).next(key.prefix());
    template[Versionstamp.COMMIT_BYTES] = (byte) (order >>> 8);
    template[Versionstamp.COMMIT_BYTES + 1] = (byte) order;
    tx.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, key.version(), template);
  }

  /**
   * What a change log says of the record with the key {@code main}, as it is stored: like a record,
   * and bound to its key, but not to be taken for one.
   */
  public byte[] sealChange(byte[] content, Key main) {
    return bytes.pack(content, main.append(CHANGE_DOMAIN).unsafeBytes());
  }

  /** What {@link #sealChange} was given. */
  public byte[] openChange(byte[] sealed, Supplier<Key> main) {
    return RecordBytes.isPlain(sealed)
        ? Arrays.copyOfRange(sealed, 1, sealed.length)
        : bytes.unpack(sealed, main.get().append(CHANGE_DOMAIN).unsafeBytes());
  }

  /** Writes {@code header} and tells every cache. */
  public void change(Transaction tx, Header header) {
    tx.set(keys.header(), header.toBytes());
    MetadataVersion.change(tx);
  }

  /** Has every program read the statistics of the store anew when {@code tx} has been committed. */
  public void dropStatistics(Transaction tx) {
    tx.mutate(
        MutationType.SET_VERSIONSTAMPED_VALUE,
        keys.statisticsStamp(),
        new byte[Versionstamp.BYTES + Integer.BYTES]);
    MetadataVersion.change(tx);
  }
}
