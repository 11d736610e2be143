package dev.tidemark.node.internal.stores;

import dev.tidemark.kv.Database;
import dev.tidemark.node.internal.console.Console;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The argument STORE, and how to connect to it if it is served. */
public final class StoreArgument {
  /** What a STORE is, for help. */
  public static final String DESCRIPTION =
      "A directory that no process has open, or tidemark://HOST:PORT of a served store.";

  @Parameters(index = "0", paramLabel = "STORE", description = DESCRIPTION)
  private String store = "";

  @Mixin private Connection connection = new Connection();

  /** The directory or address as it was typed. */
  public String text() {
    return store;
  }

  /** Whether it is an address. */
  public boolean isServed() {
    return Connection.isServed(store);
  }

  /** How to connect to it. */
  public Connection connection() {
    return connection;
  }

  /** Opens the store, which must be there; the caller closes it. */
  public Database open(Console console) {
    connection.check(store);
    return connection.open(console, store);
  }
}
