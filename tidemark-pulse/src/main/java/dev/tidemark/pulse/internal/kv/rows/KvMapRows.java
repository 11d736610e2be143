package dev.tidemark.pulse.internal.kv.rows;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.internal.spi.MapStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;

/**
 * The keys of a map on Tidemark's store, and the bytes of its rows.
 *
 * <pre>
 * ("i")               life: format and incarnation
 * ("d")               deadline of the map in microseconds, if it has one
 * ("v", key)          value
 * ("c", stamp, key)   change: 01 and the new value, 00 for a delete; a key of null is a reset
 * ("w")               stamp of the last change; copies watch it
 * ("r")               stamp of the last reset
 * ("t")               key of the last change that was trimmed away
 * </pre>
 */
public final class KvMapRows {
  private static final long FORMAT = 1;
  private static final byte DELETED = 0;
  private static final byte SET = 1;

  private final Subspace map;
  private final Subspace values;
  private final Subspace changes;
  private final Key life;
  private final Key deadline;
  private final Key wake;
  private final Key lastReset;
  private final Key trimmed;

  public KvMapRows(Subspace map) {
    this.map = map;
    this.values = map.sub("v");
    this.changes = map.sub("c");
    this.life = map.pack("i");
    this.deadline = map.pack("d");
    this.wake = map.pack("w");
    this.lastReset = map.pack("r");
    this.trimmed = map.pack("t");
  }

  public KeyRange all() {
    return map.prefixRange();
  }

  public KeyRange values() {
    return values.range();
  }

  public KeyRange changes() {
    return changes.range();
  }

  public Key life() {
    return life;
  }

  public Key deadline() {
    return deadline;
  }

  public Key wake() {
    return wake;
  }

  public Key lastReset() {
    return lastReset;
  }

  public Key trimmed() {
    return trimmed;
  }

  public Key value(String key) {
    return values.pack(key);
  }

  public String keyOf(KeyValue value) {
    return values.unpack(value.key()).getString(0);
  }

  public static byte[] lifeRow(long incarnation) {
    return Tuple.of(FORMAT, incarnation).pack();
  }

  public static long incarnation(byte[] lifeRow) {
    Tuple row = Tuple.unpack(lifeRow);
    if (row.getLong(0) != FORMAT) {
      throw new PulseException(
          "The map was written in format %d; this version of Tidemark reads format %d. Use the version that wrote it"
              .formatted(row.getLong(0), FORMAT));
    }
    return row.getLong(1);
  }

  /** Little-endian, so that the store can take the greater or the smaller of two. */
  public static byte[] deadlineRow(Instant time) {
    long micros = ChronoUnit.MICROS.between(Instant.EPOCH, time);
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(micros).array();
  }

  public static Instant deadline(byte[] row) {
    long micros = ByteBuffer.wrap(row).order(ByteOrder.LITTLE_ENDIAN).getLong();
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  public void logPut(Transaction tx, String key, byte[] value) {
    byte[] row = new byte[1 + value.length];
    row[0] = SET;
    System.arraycopy(value, 0, row, 1, value.length);
    log(tx, Tuple.of(Versionstamp.incomplete(0), key), row);
  }

  public void logRemove(Transaction tx, String key) {
    log(tx, Tuple.of(Versionstamp.incomplete(0), key), new byte[] {DELETED});
  }

  public void logReset(Transaction tx) {
    log(tx, Tuple.of(Versionstamp.incomplete(0), null), new byte[] {DELETED});
    stamp(tx, lastReset);
  }

  /**
   * Adds to the log. A key that a transaction writes several times has one row there, the last:
   * what a copy learns is what the transaction left.
   */
  private void log(Transaction tx, Tuple change, byte[] row) {
    tx.mutate(MutationType.SET_VERSIONSTAMPED_KEY, changes.packWithVersionstamp(change), row);
    stamp(tx, wake);
  }

  private static void stamp(Transaction tx, Key key) {
    tx.mutate(
        MutationType.SET_VERSIONSTAMPED_VALUE, key, new byte[Versionstamp.BYTES + Integer.BYTES]);
  }

  public MapStore.Update update(long incarnation, KeyValue change) {
    Tuple key = changes.unpack(change.key());
    MapStore.Position position =
        new MapStore.Position(incarnation, revision(key.getVersionstamp(0)));
    byte[] row = change.value();
    if (key.isNull(1)) {
      return new MapStore.Update.Reset(position);
    }
    return row[0] == SET
        ? new MapStore.Update.Put(
            position, key.getString(1), Arrays.copyOfRange(row, 1, row.length))
        : new MapStore.Update.Remove(position, key.getString(1));
  }

  public static Key revision(Versionstamp stamp) {
    return Key.wrap(stamp.toByteArray());
  }

  /** The revision of everything that a read at {@code version} sees. */
  public static Key revisionAt(long version) {
    return revision(endOf(version));
  }

  /** The key behind all changes that a read at {@code version} sees. */
  public Key changesUpTo(long version) {
    return changes.pack(endOf(version));
  }

  /** The key behind all changes of the commit that made {@code change}. */
  public Key endOfCommit(Key change) {
    return changes.sub(changes.unpack(change).getVersionstamp(0)).prefixRange().end();
  }

  private static Versionstamp endOf(long version) {
    return Versionstamp.of(version, 0xffff, 0xffff);
  }
}
