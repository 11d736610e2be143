package dev.tidemark.pulse.internal.kv.map;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.pulse.internal.kv.rows.KvMapRows;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps the log of a map short. Writers count what they write, and from time to time one of them
 * trims the log; a copy that lags behind the trimmed part loads the whole map.
 */
final class KvMapTrimmer {
  /** Changes that are kept, at most. */
  static final int ENTRIES_MAX = 1_024;

  /** Bytes of changes that are kept, at most; the latest change is kept whatever its size. */
  static final int BYTES_MAX = 4_000_000;

  private static final long DUE = BYTES_MAX;
  private static final long WEIGHT_OF_ENTRY = BYTES_MAX * 4L / ENTRIES_MAX;

  private final Database database;
  private final KvMapRows rows;

  /** Reaches {@link #DUE} with the first write, later after a quarter of what is kept. */
  private final AtomicLong written = new AtomicLong(DUE - 1);

  KvMapTrimmer(Database database, KvMapRows rows) {
    this.database = database;
    this.rows = rows;
  }

  /** Counts a change, whether its transaction commits or not. */
  void wrote(int bytes) {
    written.addAndGet(WEIGHT_OF_ENTRY + bytes * 4L);
  }

  /** Cuts the log if enough was written since this was done last. */
  void trimIfDue() {
    long counted = written.get();
    if (counted >= DUE) {
      database.run(this::trim);
      written.addAndGet(-counted);
    }
  }

  private void trim(Transaction tx) {
    tx.get(rows.trimmed());
    Optional<Key> last = lastTooMany(tx);
    if (last.isPresent()) {
      tx.clear(KeyRange.of(rows.changes().begin(), last.get().next()));
      tx.set(rows.trimmed(), last.get().toByteArray());
    }
  }

  /** The latest change that is not kept. Read without conflicts: later ones only add to it. */
  private Optional<Key> lastTooMany(Transaction tx) {
    int entries = 0;
    long bytes = 0;
    for (KeyValue change : tx.snapshot().scan(rows.changes()).reverse().limit(ENTRIES_MAX + 1)) {
      entries++;
      bytes += change.key().size() + change.value().length;
      if (entries > 1 && (entries > ENTRIES_MAX || bytes > BYTES_MAX)) {
        return Optional.of(change.key());
      }
    }
    return Optional.empty();
  }
}
