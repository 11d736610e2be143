package dev.tidemark.remote;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.remote.internal.server.StoreServer;
import java.net.URI;
import java.util.function.UnaryOperator;

/**
 * A server that shares one database with other processes, which open it with {@link
 * RemoteDatabase#connect}.
 *
 * <p>Clients have the promises of {@link Database}, as if they had the served one in their own
 * process. The database stays the caller's: close the server first, then the database. The server
 * also answers gRPC's health protocol: serving, and not serving from the moment it is closed.
 */
public final class DatabaseServer implements AutoCloseable {
  private final StoreServer server;

  private DatabaseServer(StoreServer server) {
    this.server = server;
  }

  /** Serves {@code database} on a free port of the loopback address. */
  public static DatabaseServer open(Database database) {
    return open(database, UnaryOperator.identity());
  }

  /**
   * Serves {@code database}.
   *
   * @throws UsageException if the options contradict each other, plain text would leave the machine
   *     without being asked to, or a certificate cannot be read
   * @throws UnavailableException if the port is taken
   */
  public static DatabaseServer open(Database database, UnaryOperator<ServerOptions> change) {
    return new DatabaseServer(StoreServer.open(database, change.apply(ServerOptions.DEFAULTS)));
  }

  /** The port it listens on. */
  public int port() {
    return server.port();
  }

  /** The address for {@link RemoteDatabase#connect}, as seen from this machine. */
  public URI uri() {
    return server.uri();
  }

  /** The options that this server was opened with. */
  public ServerOptions options() {
    return server.options();
  }

  /** What the server has done since it was opened, and what its clients hold. */
  public ServerStatistics statistics() {
    return server.statistics();
  }

  /**
   * Takes no further clients and requests, waits until every client has the replies to earlier
   * ones, at most {@link ServerOptions#drainTimeout}, and ends all connections. Clients reconnect
   * when a server is there again. Can be called again.
   */
  @Override
  public void close() {
    server.close();
  }
}
