package dev.tidemark.coordination.internal;

import dev.tidemark.coordination.KeyListening;
import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Rows in a subspace of Tidemark's store. A transition is a transaction, a wake-up a watch. */
public final class KvRowStore implements RowStore {
  private final Database database;
  private final Subspace rows;
  private final Subspace wakes;
  private final Set<KeyListening> listeners = ConcurrentHashMap.newKeySet();

  /** Rows and wake-ups below these; the owner closes the database. */
  public KvRowStore(Database database, Subspace rows, Subspace wakes) {
    this.database = database;
    this.rows = rows;
    this.wakes = wakes;
  }

  @Override
  public <T> T transact(Body<T> body) {
    return database.transact(tx -> body.apply(own(tx)));
  }

  @Override
  public <T> T transactJoined(JoinedBody<T> body) throws Exception {
    return database.transact(tx -> body.apply(tx, in(tx)));
  }

  @Override
  public <T> T read(Body<T> body) {
    return database.transact(tx -> body.apply(own(tx)));
  }

  @Override
  public Rows in(Transaction tx) {
    return new KvRows(tx, rows, wakes, true);
  }

  private Rows own(Transaction tx) {
    return new KvRows(tx, rows, wakes, false);
  }

  @Override
  public Listening onWake(String channel, Consumer<byte[]> listener) {
    KeyListening listening =
        KeyListening.start(
            database, wakes.pack(channel), "wake-" + channel, () -> listener.accept(NO_HINT));
    listeners.add(listening);
    return () -> {
      listeners.remove(listening);
      listening.close();
    };
  }

  @Override
  public void close() {
    listeners.forEach(KeyListening::close);
    listeners.clear();
  }
}
