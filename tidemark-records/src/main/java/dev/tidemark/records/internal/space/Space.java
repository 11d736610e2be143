package dev.tidemark.records.internal.space;

import dev.tidemark.kv.AttachmentKey;
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
import dev.tidemark.records.internal.evolution.SideBySide;
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
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store with its schema, as all who read and write it share it.
 *
 * <p>The header is cached together with the store's metadata version, which every change of a
 * header raises: a transaction that reads the same metadata version would read the same header. The
 * version is that of the whole database: where another space has raised it, the header and the row
 * that collections of statistics write are read and compared, and what was derived from them, such
 * as plans, stays.
 */
public final class Space {
  /** Follows the key of a record where a change of it is authenticated, and not the record. */
  private static final byte CHANGE_DOMAIN = 'c';

  private static final byte[] NO_VERSION = {};

  /** The metadata version that a transaction has read. */
  private static final AttachmentKey<AtomicReference<@Nullable Optional<byte[]>>> SEEN_VERSION =
      AttachmentKey.of("records: seen metadata version", AtomicReference::new);

  private final Database database;
  private final Schema schema;
  private final StoreKeys keys;
  private final StoreOptions options;
  private final RecordBytes bytes;
  private final Map<Class<?>, Object> parts = new ConcurrentHashMap<>();
  private volatile @Nullable Cached cached;
  private volatile @Nullable Space untyped;

  @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
  private record Cached(
      byte @Nullable [] metadataVersion, Map<Key, byte[]> rows, SpaceState state) {
    /** Whether {@code found} are the rows that the state was made from. */
    boolean isOf(Map<Key, byte[]> found) {
      return found.keySet().equals(rows.keySet())
          && found.keySet().stream().allMatch(key -> Arrays.equals(found.get(key), rows.get(key)));
    }
  }

  public Space(Database database, Schema schema, Subspace root, StoreOptions options) {
    this.database = database;
    this.schema = schema;
    this.keys = new StoreKeys(root);
    this.options = options;
    this.bytes = new RecordBytes(options);
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
    ReadTransaction snapshot = tx.snapshot();
    if (MetadataVersion.changedBy(tx)) {
      return read(snapshot, snapshot.get(keys.header()), false);
    }
    byte @Nullable [] version = metadataVersion(tx, snapshot);
    Cached known = cached;
    if (known != null && Arrays.equals(known.metadataVersion(), version)) {
      return known.state();
    }
    Map<Key, byte[]> rows = snapshot.getAll(List.of(keys.header(), keys.statisticsStamp()));
    SpaceState state =
        known != null && known.isOf(rows)
            ? known.state()
            : read(
                snapshot,
                Optional.ofNullable(rows.get(keys.header())),
                rows.containsKey(keys.statisticsStamp()));
    cached = new Cached(version, rows, state);
    return state;
  }

  /**
   * The metadata version that {@code tx} finds, empty if there never was one: what was read where
   * it was the same, and whose changes raise it, is as it was. Null if {@code tx} has raised it
   * itself.
   */
  public byte @Nullable [] metadataVersion(ReadTransaction tx) {
    if (MetadataVersion.changedBy(tx)) {
      return null;
    }
    byte[] version = metadataVersion(tx, tx.snapshot());
    return version == null ? NO_VERSION : version;
  }

  /** Read once: a transaction sees no other version, and a served store is far away. */
  private static byte @Nullable [] metadataVersion(ReadTransaction tx, ReadTransaction snapshot) {
    AtomicReference<@Nullable Optional<byte[]>> seen = tx.attachment(SEEN_VERSION);
    Optional<byte[]> version = seen.get();
    if (version == null) {
      version = MetadataVersion.read(snapshot);
      seen.set(version);
    }
    return version.orElse(null);
  }

  /** The store as {@code tx} finds it; {@code tx} conflicts with whoever changes it. */
  public SpaceState writableState(Transaction tx) {
    tx.addReadConflict(keys.header());
    return state(tx);
  }

  private SpaceState read(ReadTransaction tx, Optional<byte[]> found, boolean hasStatistics) {
    Header header =
        found
            .map(Header::parse)
            .orElseThrow(
                () ->
                    new SchemaException(
                        "The store at %s is gone; it was deleted while it was open"
                            .formatted(keys.header())));
    if (header.schemaVersion() == schema.version()) {
      return new SpaceState(this, header, schema, hasStatistics);
    }
    Schema stored = StoredSchema.read(tx, keys);
    if (!header.admits(schema.version(), SchemaBytes.hash(schema))) {
      throw new SchemaException(
          "The store at %s has schema version %d by now; this program has it open with version %d, which cannot go on: %s. Open it again with the newer schema"
              .formatted(
                  keys.header(),
                  header.schemaVersion(),
                  schema.version(),
                  SideBySide.refusal(schema, stored)));
    }
    return new SpaceState(this, header, stored, hasStatistics);
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
  public byte[] openChange(byte[] sealed, Key main) {
    return bytes.unpack(sealed, main.append(CHANGE_DOMAIN).unsafeBytes());
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
