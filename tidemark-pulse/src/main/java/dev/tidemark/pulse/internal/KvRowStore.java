package dev.tidemark.pulse.internal;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Subspace;
import dev.tidemark.kv.Transaction;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Rows in a subspace of Tidemark's store. A transition is a transaction, a wake-up a watch. */
final class KvRowStore implements RowStore {
  private final Database database;
  private final Subspace rows;
  private final Subspace wakes;
  private final Set<KvListening> listeners = ConcurrentHashMap.newKeySet();

  KvRowStore(Database database, Subspace home) {
    this.database = database;
    this.rows = home.sub("r");
    this.wakes = home.sub("w");
  }

  @Override
  public <T> T transact(Body<T> body) {
    return database.transact(tx -> body.apply(in(tx)));
  }

  @Override
  public <T> T transactJoined(JoinedBody<T> body) throws Exception {
    return database.transact(tx -> body.apply(tx, in(tx)));
  }

  @Override
  public <T> T read(Body<T> body) {
    return database.transact(tx -> body.apply(in(tx)));
  }

  @Override
  public Rows in(Transaction tx) {
    return new KvRows(tx, rows, wakes);
  }

  @Override
  public Listening onWake(String channel, Consumer<byte[]> listener) {
    KvListening listening =
        new KvListening(database, wakes.pack(channel), () -> listener.accept(NO_HINT));
    listeners.add(listening);
    Thread.ofVirtual().name("pulse-wake-" + channel).start(listening);
    return () -> {
      listeners.remove(listening);
      listening.close();
    };
  }

  @Override
  public void close() {
    listeners.forEach(KvListening::close);
    listeners.clear();
  }
}
