package dev.tidemark;

import dev.tidemark.changes.ChangeReader;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.RecordChangeSource;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.embedded.EmbeddedOptions;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.TransactionContext;
import dev.tidemark.kv.directory.DirectoryLayer;
import dev.tidemark.loader.DeadLetters;
import dev.tidemark.loader.Loader;
import dev.tidemark.loader.LoaderOptions;
import dev.tidemark.loader.Mapping;
import dev.tidemark.loader.StreamSource;
import dev.tidemark.loader.Warehouse;
import dev.tidemark.partitions.ActorType;
import dev.tidemark.partitions.PartitionClient;
import dev.tidemark.partitions.PartitionClientOptions;
import dev.tidemark.partitions.PartitionManager;
import dev.tidemark.partitions.PartitionManagerOptions;
import dev.tidemark.partitions.PartitionServer;
import dev.tidemark.partitions.PartitionServerOptions;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.pulse.StreamOptions;
import dev.tidemark.pulse.pool.PoolClient;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.pulse.pool.PoolOptions;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.remote.RemoteDatabase;
import dev.tidemark.remote.RemoteOptions;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * All layers on one store. What is opened from it is closed with it, the newest first and the store
 * last.
 *
 * <p>{@link #transact} and {@link #run} are one transaction in which every layer takes part: a
 * record, an event, a change of a map and a job are committed together or not at all. The body may
 * run several times, so it should have no effect but reads and writes.
 *
 * <p>Everything opened here stays open until {@link #close}. A program opens what it needs when it
 * starts; what it needs for a moment it opens from {@link #database} or {@link #pulse} and closes
 * itself. All threads may share one instance.
 */
public final class Tidemark implements TransactionContext, AutoCloseable {
  private static final String MEMORY = "memory:";

  private final Database database;
  private final Owned owned = new Owned();
  private final Lazy<Pulse> pulse;

  private Tidemark(Database database) {
    this.database = database;
    this.pulse = new Lazy<>(() -> owned.add(Pulse.on(database)));
  }

  /** Opens the store in {@code directory}, which is made if it is not there. */
  public static Tidemark open(Path directory) {
    return open(directory, UnaryOperator.identity());
  }

  /** {@link #open(Path)} with other options of the engine. */
  public static Tidemark open(Path directory, UnaryOperator<EmbeddedOptions> options) {
    return owning(EmbeddedDatabase.open(directory, options));
  }

  /**
   * Opens a store by its address: {@code memory:} for an empty one that is forgotten when closed,
   * {@code tidemark://HOST:PORT} for a served one, {@code tidemarks://} for a served one with TLS.
   *
   * @throws IllegalArgumentException if the address is of another kind
   */
  public static Tidemark open(String address) {
    return open(address, UnaryOperator.identity());
  }

  /**
   * {@link #open(String)} with options of the connection, such as its token and its trusted
   * authorities. They are not used for {@code memory:}.
   */
  public static Tidemark open(String address, UnaryOperator<RemoteOptions> options) {
    if (address.equals(MEMORY)) {
      return owning(EmbeddedDatabase.inMemory());
    }
    if (address.startsWith("tidemark://") || address.startsWith("tidemarks://")) {
      return owning(RemoteDatabase.connect(address, options));
    }
    throw new IllegalArgumentException(
        ("'%s' is no address of a store; use memory:, tidemark://HOST:PORT or tidemarks://HOST:PORT,"
                + " Tidemark.open(Path) for a directory, and Tidemark.on(FoundationDb.open()) for a"
                + " FoundationDB cluster")
            .formatted(address));
  }

  /** {@link #open(String)}. */
  public static Tidemark open(URI address) {
    return open(address.toString());
  }

  /**
   * All layers on {@code database}, of whatever engine. The caller still owns it, and closes it
   * after this object.
   */
  public static Tidemark on(Database database) {
    return new Tidemark(database);
  }

  private static Tidemark owning(Database database) {
    Tidemark tidemark = new Tidemark(database);
    tidemark.owned.add(database);
    return tidemark;
  }

  /** The store itself. */
  public Database database() {
    return database;
  }

  @Override
  public <T, X extends Exception> T transact(TransactionBody<T, X> body) throws X {
    return database.transact(body);
  }

  @Override
  public <T, X extends Exception> T read(ReadBody<T, X> body) throws X {
    return database.read(body);
  }

  /** Record stores, as their generated class opens them: {@code records(OrderStore::open)}. */
  public <S> S records(Function<Database, S> opener) {
    return opener.apply(database);
  }

  /** Streams, maps and pools with all their options. It is made in the store at the first call. */
  public Pulse pulse() {
    return pulse.get();
  }

  /** The stream {@code name}. */
  public EventStream stream(String name) {
    return pulse().stream(name);
  }

  /** The stream {@code name} with other options. */
  public EventStream stream(String name, UnaryOperator<StreamOptions> options) {
    return pulse().stream(name, options);
  }

  /** Joins the replicated map {@code name} of texts. */
  public ReplicatedMap<String, String> map(String name) {
    return owned.add(pulse().map(name));
  }

  /** Joins the pool {@code name} as a node that can run jobs. */
  public PoolNode pool(String name) {
    return pool(name, UnaryOperator.identity());
  }

  /** {@link #pool(String)} with other options. */
  public PoolNode pool(String name, UnaryOperator<PoolOptions> options) {
    return owned.add(pulse().pool(name, options));
  }

  /** Dispatches jobs to the pool {@code name} without running any. */
  public PoolClient poolClient(String name) {
    return owned.add(pulse().poolClient(name));
  }

  /**
   * A reader of the change stream {@code stream} of {@code records}, which the caller starts. Its
   * positions are in the directory {@code change-readers} of this store.
   */
  public ChangeReader reader(RecordSpace records, String stream, ReaderOptions options) {
    MetadataStore positions =
        MetadataStore.in(
            database, DirectoryLayer.DEFAULT.createOrOpen(database, "change-readers").subspace());
    return owned.add(ChangeReader.of(RecordChangeSource.of(records, stream), positions, options));
  }

  /**
   * Runs actors of {@code types} in this process: a manager and the server {@code node}, on free
   * ports of this machine. Further processes on the same store join with other names of nodes.
   *
   * @return the client by which they are called
   */
  public PartitionClient actors(String node, ActorType<?, ?>... types) {
    PartitionManagerOptions options =
        PartitionManagerOptions.forTypes(
            Stream.of(types).map(ActorType::name).toArray(String[]::new));
    PartitionManager manager = owned.add(PartitionManager.open(database, options));
    owned.add(
        PartitionServer.open(
            database,
            options.cluster(),
            List.of(types),
            // The manager is closed right after, so there is nobody to move partitions away.
            PartitionServerOptions.node(node).withDrainTimeout(Duration.ZERO)));
    return owned.add(
        PartitionClient.connect(PartitionClientOptions.managers(manager.address().toString())));
  }

  /**
   * A loader of {@code stream} into {@code warehouse}, which the caller runs. Several of the same
   * {@code name} share the events. The caller still owns the warehouse; see {@link #own}.
   */
  public <W extends Warehouse & DeadLetters> Loader loader(
      EventStream stream,
      String name,
      UnaryOperator<StreamSource.Options> source,
      W warehouse,
      Mapping mapping,
      UnaryOperator<LoaderOptions> options) {
    StreamSource events = owned.add(StreamSource.open(stream, name, source));
    return owned.add(Loader.open(events, warehouse, mapping, warehouse, options));
  }

  /** Has {@code resource} closed with this object, before everything that was opened earlier. */
  public <R extends AutoCloseable> R own(R resource) {
    return owned.add(resource);
  }

  /**
   * Closes everything, the newest first and the store last, whatever fails in between. The first
   * failure is thrown, with the others suppressed. Can be called again.
   */
  @Override
  public void close() {
    owned.close();
  }
}
