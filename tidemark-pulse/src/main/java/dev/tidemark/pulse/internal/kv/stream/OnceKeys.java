package dev.tidemark.pulse.internal.kv.stream;

import dev.tidemark.coordination.StoreClock;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.pulse.ConflictingEventException;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.internal.kv.rows.EventFormat;
import dev.tidemark.pulse.internal.kv.rows.EventIds;
import dev.tidemark.pulse.internal.kv.rows.StreamHead;
import dev.tidemark.pulse.internal.kv.rows.StreamSpace;
import dev.tidemark.pulse.internal.spi.NewEvent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** The keys of {@code addOnce} with what they were used for. */
final class OnceKeys {
  private static final int DIGEST_BYTES = 32;
  private static final int DUE_AT = Versionstamp.BYTES + DIGEST_BYTES;
  private static final int SWEEP_EVERY = 16;
  private static final int SWEEP_MAX = 64;

  private final Database database;
  private final StreamSpace space;
  private final StoreClock clock;
  private final Duration remembered;

  OnceKeys(Database database, StreamSpace space, StoreClock clock, Duration remembered) {
    this.database = database;
    this.space = space;
    this.clock = clock;
    this.remembered = remembered;
  }

  /**
   * The id of the event that was added with {@code key}.
   *
   * @throws ConflictingEventException if it is not {@code event}
   */
  Optional<EventId> find(Transaction tx, String key, NewEvent event) {
    Optional<byte[]> row = tx.get(space.once(key));
    if (row.isEmpty() || dueOf(row.get()) <= StreamHead.micros(clock.now())) {
      return Optional.empty();
    }
    byte[] value = row.get();
    if (!Arrays.equals(value, Versionstamp.BYTES, DUE_AT, digest(event), 0, DIGEST_BYTES)) {
      throw new ConflictingEventException(
          "The key '%s' was used before for an event with another name, topic or payload. Repeat the same event, or take another key"
              .formatted(key));
    }
    return Optional.of(EventIds.of(stampOf(value)));
  }

  /** Remembers that {@code tx} adds {@code event}, its first one, with {@code key}. */
  void remember(Transaction tx, String key, NewEvent event) {
    Key row = space.once(key);
    tx.get(row).ifPresent(old -> tx.clear(space.onceDue(dueOf(old), key)));
    long due = StreamHead.micros(clock.now().plus(remembered));
    byte[] value = new byte[DUE_AT + Long.BYTES + Integer.BYTES];
    System.arraycopy(digest(event), 0, value, Versionstamp.BYTES, DIGEST_BYTES);
    ByteBuffer.wrap(value).putLong(DUE_AT, due);
    ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).putInt(DUE_AT + Long.BYTES, 0);
    tx.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, row, value);
    tx.set(space.onceDue(due, key), new byte[0]);
  }

  /** Removes some expired keys, with a chance of one in {@link #SWEEP_EVERY}. */
  void maySweep() {
    if (ThreadLocalRandom.current().nextInt(SWEEP_EVERY) == 0) {
      try {
        database.run(this::sweep);
      } catch (DatabaseException failure) {
        // A later call sweeps; the caller's event has been added all the same.
      }
    }
  }

  private void sweep(Transaction tx) {
    long now = StreamHead.micros(clock.now());
    for (KeyValue due : tx.snapshot().scan(space.onceDueBefore(now)).limit(SWEEP_MAX)) {
      Key row = space.once(space.onceKeyOf(due.key()));
      tx.get(row).filter(value -> dueOf(value) <= now).ifPresent(old -> tx.clear(row));
      tx.clear(due.key());
    }
  }

  private static Versionstamp stampOf(byte[] value) {
    return Versionstamp.fromBytes(Arrays.copyOf(value, Versionstamp.BYTES));
  }

  private static long dueOf(byte[] value) {
    return ByteBuffer.wrap(value).getLong(DUE_AT);
  }

  private static byte[] digest(NewEvent event) {
    try {
      return MessageDigest.getInstance("SHA-256")
          .digest(EventFormat.encode(event, EventFormat.NO_TAG));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every JDK has SHA-256", impossible);
    }
  }
}
