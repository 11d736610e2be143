package dev.tidemark.chaos.pulse;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.redis.RedisPulse;
import dev.tidemark.remote.RemoteDatabase;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The way to the store of a pulse run.
 *
 * @param pulse streams and pools on it
 * @param database the store itself, if it is ours
 */
public record PulseAccess(Pulse pulse, Optional<Database> database) implements AutoCloseable {
  private static final Subspace EFFECTS = Subspace.of("effects");
  private static final byte[] ONE =
      ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(1).array();

  /** Opens {@code address}: of a Redis server, or of a database that is served. */
  public static PulseAccess open(String address) {
    if (address.startsWith("redis:")) {
      return new PulseAccess(RedisPulse.connect(address), Optional.empty());
    }
    Database database = RemoteDatabase.connect(address);
    return new PulseAccess(Pulse.on(database), Optional.of(database));
  }

  /** Counts one more effect of {@code name} when {@code tx} commits. */
  static void effect(Transaction tx, String name) {
    tx.mutate(MutationType.ADD, EFFECTS.pack(name), ONE);
  }

  /** How often each name has had its effect. */
  Map<String, Long> effects() {
    Map<String, Long> all = new HashMap<>();
    Database store = database.orElseThrow();
    Key from = EFFECTS.range().begin();
    while (true) {
      KeyRange rest = KeyRange.of(from, EFFECTS.range().end());
      var rows = store.read(tx -> tx.snapshot().scan(rest).limit(5_000).list());
      for (KeyValue row : rows) {
        all.put(
            EFFECTS.unpack(row.key()).getString(0),
            ByteBuffer.wrap(row.value()).order(ByteOrder.LITTLE_ENDIAN).getLong());
      }
      if (rows.size() < 5_000) {
        return all;
      }
      from = rows.getLast().key().next();
    }
  }

  @Override
  public void close() {
    pulse.close();
    database.ifPresent(Database::close);
  }
}
