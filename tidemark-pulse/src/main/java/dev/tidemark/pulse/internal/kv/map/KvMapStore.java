package dev.tidemark.pulse.internal.kv.map;

import dev.tidemark.coordination.Commits;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.pulse.MapOptions;
import dev.tidemark.pulse.internal.kv.rows.Expiries;
import dev.tidemark.pulse.internal.kv.rows.KvMapRows;
import dev.tidemark.pulse.internal.spi.MapStore;
import dev.tidemark.pulse.internal.spi.MapWrite;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A map on Tidemark's store.
 *
 * <p>A write reads the life of the map and its own key, so it conflicts with writes to the same key
 * and with the end of the map, and with nothing else: the log of changes and the wake key are
 * written blindly, with versionstamps that the commit fills in.
 *
 * <p>An incarnation is the version that its first write has read. The map was not there at that
 * version, so it is greater than that of every life before.
 */
public final class KvMapStore implements MapStore {
  private final String name;
  private final Database database;
  private final KvMapRows rows;
  private final MapOptions options;
  private final Supplier<Instant> now;
  private final KvMapTrimmer trimmer;
  private final Expiries expiries;

  /**
   * The map {@code name} in {@code space}.
   *
   * @param now the clock of the store
   * @param expiries where it is noted if it has a time to live
   */
  public KvMapStore(
      String name,
      Database database,
      Subspace space,
      MapOptions options,
      Supplier<Instant> now,
      Expiries expiries) {
    this.name = name;
    this.database = database;
    this.rows = new KvMapRows(space);
    this.options = options;
    this.now = now;
    this.trimmer = new KvMapTrimmer(database, rows);
    this.expiries = expiries;
  }

  private record Written(Transaction tx, long incarnation, Outcome outcome) {}

  private record Life(boolean exists, boolean expired, boolean mortal, long incarnation) {}

  @Override
  public Outcome apply(MapWrite write) {
    Written written = database.transact(tx -> carryOut(tx, write));
    if (options.timeToLive().isPresent()) {
      expiries.maySweep();
    }
    Outcome outcome = written.outcome();
    if (!outcome.changed()) {
      return outcome;
    }
    return new Outcome(outcome.previous(), outcome.current(), true, position(written));
  }

  @Override
  public Outcome apply(Transaction tx, MapWrite.OfKey write) {
    return writeKey(tx, write).outcome();
  }

  @Override
  public Feed follow(Consumer<Update> listener) {
    return KvMapFeed.start(name, database, rows, now, trimmer, listener);
  }

  private Written carryOut(Transaction tx, MapWrite write) {
    return switch (write) {
      case MapWrite.OfKey ofKey -> writeKey(tx, ofKey);
      case MapWrite.Reset reset -> reset(tx, reset.expected());
      case MapWrite.Destroy destroy -> {
        tx.clear(rows.all());
        yield written(tx, tx.readVersion(), true);
      }
    };
  }

  private Written writeKey(Transaction tx, MapWrite.OfKey write) {
    Life life = life(tx);
    Key key = rows.value(write.key());
    Optional<byte[]> previous = life.exists() ? tx.get(key) : Optional.empty();
    return switch (EntryEffect.of(name, write, previous)) {
      case EntryEffect.Keep keep ->
          new Written(
              tx, life.incarnation(), new Outcome(previous, previous, false, Optional.empty()));
      case EntryEffect.Put(byte[] value) -> {
        long incarnation = touch(tx, life);
        tx.set(key, value);
        rows.logPut(tx, write.key(), value);
        trimmer.wrote(value.length);
        yield written(tx, incarnation, previous, Optional.of(value));
      }
      case EntryEffect.Remove remove -> {
        long incarnation = touch(tx, life);
        tx.clear(key);
        rows.logRemove(tx, write.key());
        trimmer.wrote(0);
        yield written(tx, incarnation, previous, Optional.empty());
      }
    };
  }

  private Written reset(Transaction tx, Map<String, byte[]> expected) {
    Life life = life(tx);
    if (!life.exists() || !holdsAll(tx, expected)) {
      return written(tx, life.incarnation(), false);
    }
    long incarnation = touch(tx, life);
    tx.clear(rows.values());
    rows.logReset(tx);
    trimmer.wrote(0);
    return written(tx, incarnation, true);
  }

  private boolean holdsAll(Transaction tx, Map<String, byte[]> expected) {
    return expected.entrySet().stream()
        .allMatch(each -> EntryEffect.holds(tx.get(rows.value(each.getKey())), each.getValue()));
  }

  /**
   * The deadline is read without a conflict, because every write may move it, unless it decides.
   */
  private Life life(Transaction tx) {
    Optional<byte[]> row = tx.get(rows.life());
    if (row.isEmpty()) {
      return new Life(false, false, false, 0);
    }
    Optional<byte[]> deadline = tx.snapshot().get(rows.deadline());
    boolean expired =
        deadline.filter(end -> !now.get().isBefore(KvMapRows.deadline(end))).isPresent();
    if (expired) {
      tx.addReadConflict(rows.deadline());
    }
    return new Life(
        !expired, expired, !expired && deadline.isPresent(), KvMapRows.incarnation(row.get()));
  }

  /** Begins a new life if there is none, and gives the map its time to live. */
  private long touch(Transaction tx, Life life) {
    long incarnation = life.incarnation();
    if (!life.exists()) {
      if (life.expired()) {
        tx.clear(rows.all());
      }
      incarnation = tx.readVersion();
      tx.set(rows.life(), KvMapRows.lifeRow(incarnation));
    }
    Duration timeToLive = options.timeToLive().orElse(null);
    if (timeToLive != null) {
      MutationType which = options.sliding() ? MutationType.MAX : MutationType.MIN;
      Instant end = now.get().plus(timeToLive);
      tx.mutate(which, rows.deadline(), KvMapRows.deadlineRow(end));
      if (!life.mortal()) {
        expiries.note(tx, Expiries.MAP, name, end);
      }
    }
    return incarnation;
  }

  private static Written written(Transaction tx, long incarnation, boolean changed) {
    return new Written(
        tx,
        incarnation,
        new Outcome(Optional.empty(), Optional.empty(), changed, Optional.empty()));
  }

  private static Written written(
      Transaction tx, long incarnation, Optional<byte[]> previous, Optional<byte[]> current) {
    return new Written(tx, incarnation, new Outcome(previous, current, true, Optional.empty()));
  }

  /**
   * Where the write is. A commit that was in doubt at first cannot tell; the last change of the map
   * is at that place or behind it. If the store does not tell that either, the place is unknown:
   * who wrote must not take the write for one that failed, and make it again.
   */
  private Optional<Position> position(Written written) {
    try {
      Key revision =
          Commits.stamp(written.tx())
              .map(KvMapRows::revision)
              .or(() -> database.read(tx -> tx.get(rows.wake())).map(Key::wrap))
              .orElse(Key.EMPTY);
      return Optional.of(new Position(written.incarnation(), revision));
    } catch (DatabaseException unanswered) {
      return Optional.empty();
    }
  }
}
