package dev.tidemark.records.internal.changes;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.changes.ChangePosition;
import dev.tidemark.records.internal.format.Header;
import dev.tidemark.records.internal.format.StreamInfo;
import dev.tidemark.records.internal.keys.StreamKeys;
import dev.tidemark.records.internal.space.Space;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Removes changes that are older than the retention of their stream, unless a reader pins them. */
public final class LogRetention {
  private static final int VERSION = 1;
  private static final long MICROS = 1_000_000;

  private final Space space;
  private final Database database;

  /** For the streams of {@code space}. */
  public LogRetention(Space space) {
    this.space = space;
    this.database = space.database();
  }

  /**
   * Removes what is too old in all streams, each in a transaction of its own; returns in how many
   * there was something.
   */
  public int trim() {
    List<StreamInfo> streams =
        database.read(tx -> space.header(tx)).map(Header::streams).orElse(List.of());
    int trimmed = 0;
    for (StreamInfo stream : streams) {
      long cut = cut(stream.spec().retention());
      if (cut > 0 && database.transact(tx -> trim(tx, stream, cut))) {
        trimmed++;
      }
    }
    return trimmed;
  }

  /** The version up to which changes are too old. */
  private long cut(Duration retention) {
    return database.versionAt(database.time().instant().minus(retention));
  }

  private boolean trim(Transaction tx, StreamInfo info, long oldest) {
    StreamKeys keys = space.keys().stream(info.id());
    if (tx.get(keys.stream()).isEmpty()) {
      return false;
    }
    long before = StreamState.horizonVersion(tx.get(keys.horizon()).orElse(null));
    long cut = Math.min(Math.min(oldest, tx.readVersion()), pinned(tx, keys));
    List<PartitionRow> rows = rows(tx, keys);
    if (cut <= before || rows.stream().noneMatch(row -> hasOld(tx, keys, row, cut))) {
      return false;
    }
    tx.set(keys.horizon(), Tuple.of(VERSION, cut).pack());
    for (PartitionRow row : rows) {
      Versionstamp ended = row.ended();
      if (ended != null && ended.version() <= cut) {
        tx.clear(keys.log(row.number()).prefixRange());
        tx.clear(keys.ended(row.number()));
      } else {
        tx.clear(StreamKeys.upTo(keys.log(row.number()), cut));
      }
    }
    return true;
  }

  /** Whether there is something to remove; the log is looked at without conflicts. */
  private static boolean hasOld(Transaction tx, StreamKeys keys, PartitionRow row, long cut) {
    return tx.snapshot().scan(StreamKeys.upTo(keys.log(row.number()), cut)).first().isPresent();
  }

  private static List<PartitionRow> rows(Transaction tx, StreamKeys keys) {
    List<PartitionRow> rows = new ArrayList<>();
    for (KeyValue row : tx.scan(keys.allEnded()).list()) {
      rows.add(PartitionRow.parse(keys.partition(row.key()), row.value()));
    }
    for (KeyValue row : tx.scan(keys.allActive()).list()) {
      rows.add(PartitionRow.parse(keys.partition(row.key()), row.value()));
    }
    return rows;
  }

  // ---- pins

  static void pin(
      Transaction tx, StreamKeys keys, String reader, ChangePosition position, Instant until) {
    tx.set(keys.pin(reader), Tuple.of(VERSION, micros(until), position.toByteArray()).pack());
  }

  /** The latest version that no reader keeps; pins that are over are removed. */
  private long pinned(Transaction tx, StreamKeys keys) {
    long now = micros(database.time().instant());
    long free = Long.MAX_VALUE;
    for (KeyValue row : tx.scan(keys.pins()).list()) {
      Tuple pin = Tuple.unpack(row.value());
      if (pin.getLong(1) <= now) {
        tx.clear(row.key());
      } else {
        ChangePosition position = ChangePosition.fromBytes(pin.getBytes(2));
        long last = position.isWholeVersion() ? position.version() : position.version() - 1;
        free = Math.min(free, last);
      }
    }
    return free;
  }

  private static long micros(Instant time) {
    return Math.addExact(Math.multiplyExact(time.getEpochSecond(), MICROS), time.getNano() / 1_000);
  }
}
