package dev.tidemark.pulse.internal.kv.stream;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.pulse.StreamOptions;
import dev.tidemark.pulse.internal.kv.rows.EventIds;
import dev.tidemark.pulse.internal.kv.rows.StreamHead;
import dev.tidemark.pulse.internal.kv.rows.StreamSpace;
import java.lang.System.Logger.Level;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Removes events that a stream no longer shows.
 *
 * <p>What a stream shows does not depend on it: trimming only frees space. Each adder checks the
 * length at random, so that together they check often enough. One thread of a process at a time
 * trims, in transactions of its own that conflict only with other trimmers and with removals.
 */
final class StreamTrimmer {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.pulse");
  private static final int BATCH_MAX = 10_000;
  private static final int BATCHES_MAX = 4;

  /** A caller's open transaction waits for this, so it is small; still more than was added. */
  private static final int SMALL_BATCH = 1_000;

  private static final int SLACK_MIN = 64;
  private static final int SLACK_MAX = 1_000;

  /** How many adds, on average, check the length while {@code slack} events are added. */
  private static final int LOOKS_PER_SLACK = 8;

  private final Database database;
  private final StreamSpace space;
  private final EventScan scan;
  private final int slack;
  private final boolean keepsAll;
  private final AtomicBoolean busy = new AtomicBoolean();

  /**
   * A trimmer.
   *
   * @param options what the handle says of the length
   */
  StreamTrimmer(Database database, StreamSpace space, EventScan scan, StreamOptions options) {
    long expected =
        options.keepsAll() ? 0 : options.lengthMax().orElse(StreamOptions.LENGTH_MAX_AT_FIRST);
    this.database = database;
    this.space = space;
    this.scan = scan;
    this.slack = Math.clamp(expected / 8, SLACK_MIN, SLACK_MAX);
    this.keepsAll = expected == 0;
  }

  /** Trims at random times, if enough events are beyond the maximum. */
  void mayTrim() {
    mayTrim(BATCH_MAX, BATCHES_MAX);
  }

  /** The same for a caller whose transaction is open. */
  void mayTrimALittle() {
    mayTrim(SMALL_BATCH, 1);
  }

  private void mayTrim(int batch, int batches) {
    boolean look = !keepsAll && ThreadLocalRandom.current().nextInt(slack / LOOKS_PER_SLACK) == 0;
    if (look && busy.compareAndSet(false, true)) {
      try {
        for (int i = 0; i < batches && trimBatch(batch) == batch; i++) {}
      } catch (DatabaseException failure) {
        // The event has been added. The space is freed later.
      } finally {
        busy.set(false);
      }
    }
  }

  /** How many events were trimmed. */
  private int trimBatch(int batch) {
    return database.transact(tx -> trim(tx, batch));
  }

  private int trim(Transaction tx, int batch) {
    ReadTransaction reads = tx.snapshot();
    StreamHead head = StreamHead.read(reads, space);
    if (head.hidden() < slack) {
      return 0;
    }
    int count = (int) Math.min(head.hidden(), batch);
    Key from = scan.oldest(head);
    Key last = reads.getKey(KeySelector.firstGreaterOrEqual(from).add(count - 1));
    if (last.compareTo(space.events().end()) >= 0) {
      return 0;
    }
    tx.addReadConflict(space.gone());
    tx.clear(KeyRange.of(from, last.next()));
    tx.mutate(MutationType.ADD, space.gone(), StreamHead.bytes(count));
    tx.set(space.trimmed(), EventIds.pack(space.eventId(last)));
    return count;
  }

  /** Reads events. */
  @FunctionalInterface
  interface Read<T> {
    /**
     * What there is.
     *
     * @param walks whether it walks through what waits to be trimmed, however much that is
     * @throws EventScan.FarBehind if it is much, and it does not
     */
    T get(boolean walks);
  }

  /** What {@code read} returns; trims first if very much waits for that. */
  <T> T read(Read<T> read) {
    try {
      return read.get(false);
    } catch (EventScan.FarBehind waiting) {
      trimAll();
      return read.get(true);
    }
  }

  /** A reader that may not write walks through the hidden events instead. */
  private void trimAll() {
    try {
      for (int trimmed = BATCH_MAX; trimmed == BATCH_MAX; ) {
        trimmed = trimBatch(BATCH_MAX);
      }
    } catch (InterruptedOperationException interrupt) {
      throw interrupt;
    } catch (DatabaseException failure) {
      LOG.log(Level.DEBUG, "A reader could not trim what is no longer shown", failure);
    }
  }
}
