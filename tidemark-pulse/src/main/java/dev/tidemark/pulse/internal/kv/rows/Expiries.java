package dev.tidemark.pulse.internal.kv.rows;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Streams and maps with a time to live, ordered by when they are to be checked. The row of one is
 * written with its first deadline and not by later writes; a sweep that finds a later deadline
 * writes the row again. So writers that only move a deadline do not conflict here.
 */
public final class Expiries {
  /** What lies below {@code "s"} in the space of the Pulse. */
  public static final String STREAM = "s";

  /** What lies below {@code "m"} in the space of the Pulse. */
  public static final String MAP = "m";

  private static final byte[] EMPTY = {};
  private static final Duration SWEEP_EVERY = Duration.ofSeconds(10);
  private static final int SWEPT_BY_WRITERS = 16;

  /** What this version does not know is looked at again so much later, maybe by one that does. */
  private static final Duration UNKNOWN_AGAIN_AFTER = Duration.ofHours(1);

  private final Database database;
  private final Subspace pulse;
  private final Subspace due;
  private final Supplier<Instant> now;
  private final AtomicLong nextSweep;

  /**
   * The expiries in {@code pulse}.
   *
   * @param now the clock of the store
   */
  public Expiries(Database database, Subspace pulse, Supplier<Instant> now) {
    this.database = database;
    this.pulse = pulse;
    this.due = pulse.sub("e");
    this.now = now;
    this.nextSweep = new AtomicLong(database.time().nanos() + SWEEP_EVERY.toNanos());
  }

  /** The rows of a stream or a map that say whether it lives. */
  private record Mortal(KeyRange all, Key life, Key deadline) {}

  /** Empty if {@code kind} is unknown. */
  private Optional<Mortal> mortal(String kind, String name) {
    Subspace space = pulse.sub(kind, name);
    return switch (kind) {
      case STREAM -> {
        StreamSpace rows = new StreamSpace(space);
        yield Optional.of(new Mortal(rows.all(), rows.life(), rows.deadline()));
      }
      case MAP -> {
        KvMapRows rows = new KvMapRows(space);
        yield Optional.of(new Mortal(rows.all(), rows.life(), rows.deadline()));
      }
      default -> Optional.empty();
    };
  }

  /** Notes that {@code tx} gives a stream or a map its first deadline. */
  public void note(Transaction tx, String kind, String name, Instant deadline) {
    tx.set(due.pack(StreamHead.micros(deadline), kind, name), EMPTY);
  }

  /** Clears some expired rows, unless that was done lately. Called after writes. */
  public void maySweep() {
    long next = nextSweep.get();
    long here = database.time().nanos();
    if (here - next >= 0 && nextSweep.compareAndSet(next, here + SWEEP_EVERY.toNanos())) {
      try {
        sweep(SWEPT_BY_WRITERS);
      } catch (DatabaseException failure) {
        // The caller's write has been made. The space is freed later.
      }
    }
  }

  /** Clears at most {@code limit} expired streams and maps; returns how many it looked at. */
  public int sweep(int limit) {
    long micros = StreamHead.micros(now.get());
    return database.transact(tx -> sweep(tx, micros, limit));
  }

  private int sweep(Transaction tx, long micros, int limit) {
    KeyRange past = KeyRange.of(due.range().begin(), due.pack(micros + 1));
    List<KeyValue> rows = tx.snapshot().scan(past).limit(limit).list();
    for (KeyValue row : rows) {
      Tuple key = due.unpack(row.key());
      tx.clear(row.key());
      look(tx, key.getString(1), key.getString(2), micros);
    }
    return rows.size();
  }

  private void look(Transaction tx, String kind, String name, long micros) {
    Optional<Mortal> known = mortal(kind, name);
    if (known.isPresent()) {
      look(tx, known.get(), kind, name, micros);
    } else {
      long later = micros + TimeUnit.NANOSECONDS.toMicros(UNKNOWN_AGAIN_AFTER.toNanos());
      tx.set(due.pack(later, kind, name), EMPTY);
    }
  }

  /** Its reads conflict with writers that recreate the stream or map, or move its deadline. */
  private void look(Transaction tx, Mortal mortal, String kind, String name, long micros) {
    Optional<byte[]> deadline =
        tx.get(mortal.life()).isPresent() ? tx.get(mortal.deadline()) : Optional.empty();
    if (deadline.isEmpty()) {
      return;
    }
    long end = StreamHead.number(deadline.get());
    if (end <= micros) {
      tx.clear(mortal.all());
    } else {
      tx.set(due.pack(end, kind, name), EMPTY);
    }
  }
}
