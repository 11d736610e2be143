package dev.tidemark.remote.internal;

import dev.tidemark.kv.Database;
import dev.tidemark.remote.ServerOptions;
import dev.tidemark.remote.ServerStatistics;
import java.net.URI;

/** One listening server. */
public final class StoreServer implements AutoCloseable {
  private final ServerOptions options;

  private StoreServer(ServerOptions options) {
    this.options = options;
  }

  /** Serves {@code database}. */
  public static StoreServer open(Database database, ServerOptions options) {
    database.begin().close();
    return new StoreServer(options);
  }

  /** The port it listens on. */
  public int port() {
    return options.port();
  }

  /** The address for clients. */
  public URI uri() {
    return URI.create("tidemark://" + options.host() + ":" + port());
  }

  /** How this server works. */
  public ServerOptions options() {
    return options;
  }

  /** What it has done. */
  public ServerStatistics statistics() {
    return new ServerStatistics(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  @Override
  public void close() {}
}
