package dev.tidemark.pulse.testkit;

import static java.util.Objects.requireNonNull;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.remote.DatabaseServer;
import dev.tidemark.remote.RemoteDatabase;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A store in memory that is served at a port of this machine, a new one for each test. */
final class ServedStore implements BeforeEachCallback, AfterEachCallback {
  private final Database database = EmbeddedDatabase.inMemory();
  private final List<Database> clients = new ArrayList<>();
  private @Nullable DatabaseServer server;

  /** The first client of the test. */
  Database client() {
    return clients.isEmpty() ? connectClient() : clients.getFirst();
  }

  private Database connectClient() {
    Database client = RemoteDatabase.connect(requireNonNull(server, "no test runs").uri());
    clients.add(client);
    return client;
  }

  /** A pulse with a connection of its own, as another process would have it. */
  Pulse connect() {
    return Pulse.on(connectClient());
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    server = DatabaseServer.open(database);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    clients.forEach(Database::close);
    requireNonNull(server, "it is opened before the test").close();
    database.close();
  }
}
