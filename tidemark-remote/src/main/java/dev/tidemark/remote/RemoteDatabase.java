package dev.tidemark.remote;

import dev.tidemark.kv.CommitUnknownException;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.backup.BackupSource;
import dev.tidemark.kv.backup.BackupTarget;
import dev.tidemark.remote.internal.client.StoreClient;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A database that a {@link DatabaseServer} in another process serves.
 *
 * <p>Writes stay in this process until the commit, which is one request. Requests of all threads
 * share one connection and go out together. When it is lost, this client reconnects: transactions
 * that were reading throw {@link UnavailableException}, which {@link #transact} and {@link #read}
 * retry; a commit that was under way throws {@link CommitUnknownException}, which {@link #transact}
 * settles; watches go on.
 */
public final class RemoteDatabase implements Database, BackupSource {
  /** The port of addresses that have none, and of the command {@code serve}. */
  public static final int DEFAULT_PORT = 7420;

  private final StoreClient client;

  private RemoteDatabase(StoreClient client) {
    this.client = client;
  }

  /**
   * Connects to the server at {@code address}: {@code tidemark://host:port}, or {@code
   * tidemarks://host:port} with TLS. Without a port it is {@link #DEFAULT_PORT}.
   *
   * @throws UnavailableException if no server answers within {@link RemoteOptions#connectTimeout}
   * @throws UsageException if the address makes no sense, or the server refuses this client: wrong
   *     token, other version of the protocol
   */
  public static RemoteDatabase connect(String address) {
    return connect(address, UnaryOperator.identity());
  }

  /** {@link #connect(String)} with other options. */
  public static RemoteDatabase connect(String address, UnaryOperator<RemoteOptions> change) {
    return new RemoteDatabase(StoreClient.connect(address, change.apply(RemoteOptions.DEFAULTS)));
  }

  /** {@link #connect(String)}, with the address that {@link DatabaseServer#uri} returns. */
  public static RemoteDatabase connect(URI address) {
    return connect(address, UnaryOperator.identity());
  }

  /** {@link #connect(URI)} with other options. */
  public static RemoteDatabase connect(URI address, UnaryOperator<RemoteOptions> change) {
    return new RemoteDatabase(StoreClient.connect(address, change.apply(RemoteOptions.DEFAULTS)));
  }

  @Override
  public Transaction begin(TransactionOptions options) {
    return client.begin(options);
  }

  @Override
  public long estimatedSize(KeyRange range) {
    return client.estimatedSize(range);
  }

  @Override
  public List<Key> splitPoints(KeyRange range, long pieceBytes) {
    return client.splitPoints(range, pieceBytes);
  }

  /** True: a connection can be lost between a commit and its reply. */
  @Override
  public boolean commitCanBeUnknown() {
    return true;
  }

  /** The limits of the served database. */
  @Override
  public Limits limits() {
    return client.limits();
  }

  @Override
  public Instant timeOf(long version) {
    return client.timeOf(version);
  }

  @Override
  public long versionAt(Instant instant) {
    return client.versionAt(instant);
  }

  /**
   * The clock that this database and the layers on it live by. Its wall clock is the store's, as of
   * the last greeting: everything expires by one clock, however wrong that of this machine is. Its
   * steady clock and its sleeps are those of {@link RemoteOptions#time}.
   */
  @Override
  public TimeSource time() {
    return client.time();
  }

  /**
   * Makes the server send the files of its store, as they are now, to {@code target}. {@link
   * #backup(Path)} makes the same directory here that the served database would make there. A
   * server makes one backup at a time.
   *
   * @throws UsageException if the token of this client is not one of an operator, the served
   *     database has no files, or another backup is under way
   * @throws UnavailableException if the connection is lost; nothing is tried again
   */
  @Override
  public void backup(BackupTarget target) {
    client.backup(target);
  }

  /** The options that this client was opened with. */
  public RemoteOptions options() {
    return client.options();
  }

  /** Ends open transactions and watches and the connection. The server and its database go on. */
  @Override
  public void close() {
    client.close();
  }
}
