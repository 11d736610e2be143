package dev.tidemark.node.internal.command.pulse;

import dev.tidemark.kv.Database;
import dev.tidemark.node.internal.console.Console;
import dev.tidemark.node.internal.stores.StoreArgument;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.PulseNames;

/** The streams, maps and pools of a store, open for one call. */
final class PulseStore implements AutoCloseable {
  private final Database database;
  private final PulseNames names;
  private final Pulse pulse;

  private PulseStore(Database database, PulseNames names, Pulse pulse) {
    this.database = database;
    this.names = names;
    this.pulse = pulse;
  }

  /** Opens {@code store}, also if nothing was published there yet. */
  static PulseStore open(Console console, StoreArgument store) {
    Database database = store.open(console);
    try {
      return new PulseStore(database, PulseNames.in(database), Pulse.on(database));
    } catch (RuntimeException failure) {
      database.close();
      throw failure;
    }
  }

  Database database() {
    return database;
  }

  PulseNames names() {
    return names;
  }

  Pulse pulse() {
    return pulse;
  }

  @Override
  public void close() {
    pulse.close();
    database.close();
  }
}
