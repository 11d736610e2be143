package dev.tidemark.remote.internal.server;

import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.ScanMode;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.spi.BaseReads;
import dev.tidemark.kv.spi.BufferedTransaction;
import dev.tidemark.kv.spi.scan.ScanPortion;
import dev.tidemark.remote.internal.transport.SentScan;
import dev.tidemark.remote.internal.transport.Wire;
import dev.tidemark.remote.internal.wire.GetAll;
import dev.tidemark.remote.internal.wire.Value;
import dev.tidemark.remote.internal.wire.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads of a session whose replies may be long. Few are made at a time, and each goes on only while
 * there is room for its replies; so what waits for a slow client is bounded.
 */
final class LargeReads {
  private static final int AT_A_TIME = 4;

  /** Replies are cut here; the client asks for the rest. */
  static final int REPLY_BYTES = 1 << 20;

  /** A scan is answered in parts, so that the client unpacks one while the next is read. */
  private static final int PART_BYTES = 1 << 17;

  /** What is left to a request for less is left to the next one. */
  private static final int PART_BYTES_MIN = PART_BYTES / 8;

  /** Most keys of one request. */
  static final int KEYS_MAX = 4_096;

  /** The rough overhead in memory of a key of a request. */
  private static final int KEY_BYTES = 128;

  /** The overhead of a value in a reply, also of an absent one. */
  private static final int VALUE_BYTES = 2;

  private static final int SMALL_SCAN_BYTES = 1 << 14;
  private static final int SMALL_SCAN_ROWS = 64;

  /** The most keys that the thread of the network looks up in memory. */
  private static final int KEYS_AT_HAND = 8;

  private static final int KEYS_AT_A_TIME = 64;

  private final BooleanSupplier hasRoom;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Waiting reads; also read without the lock. */
  private final AtomicInteger waiting = new AtomicInteger();

  // Guarded by lock.
  private int reading;

  private volatile boolean closed;

  LargeReads(BooleanSupplier hasRoom) {
    this.hasRoom = hasRoom;
  }

  static boolean isSmall(GetAll request) {
    return request.getKeysCount() <= KEYS_AT_A_TIME;
  }

  /** The rough memory of a request of {@code size} bytes. */
  static int weight(GetAll request, int size) {
    return size + request.getKeysCount() * KEY_BYTES;
  }

  static boolean isSmall(SentScan request) {
    return Integer.compareUnsigned(request.bytes(), SMALL_SCAN_BYTES) <= 0
        || Integer.compareUnsigned(request.rows(), SMALL_SCAN_ROWS) <= 0;
  }

  /** Makes {@code read} when its turn has come. */
  void run(Runnable read) {
    await(() -> reading < AT_A_TIME && hasRoom.getAsBoolean());
    try {
      read.run();
    } finally {
      ended();
    }
  }

  private void ended() {
    lock.lock();
    try {
      reading--;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void await(BooleanSupplier turn) {
    lock.lock();
    try {
      waiting.incrementAndGet();
      while (!closed && !turn.getAsBoolean()) {
        changed.await();
      }
      if (closed) {
        throw TransactionClosedException.cancelled("The session is over");
      }
      reading++;
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted while a client did not read", interrupt);
    } finally {
      waiting.decrementAndGet();
      lock.unlock();
    }
  }

  /**
   * Wakes waiting reads to check again. Does not wait for the lock: the committer calls this too,
   * and must not wait behind threads that may wait for it.
   */
  void roomChanged() {
    if (waiting.get() > 0) {
      if (lock.tryLock()) {
        try {
          changed.signalAll();
        } finally {
          lock.unlock();
        }
      } else {
        Thread.startVirtualThread(this::wakeAll);
      }
    }
  }

  private void wakeAll() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void close() {
    closed = true;
    wakeAll();
  }

  /** Values of a few keys, if all of them are in memory; null otherwise. */
  static @Nullable Values valuesAtHand(GetAll request, Readers.Found reader) {
    int count = request.getKeysCount();
    if (count > KEYS_AT_HAND || !(reader.tx() instanceof BufferedTransaction buffered)) {
      return null;
    }
    List<Value> values = new ArrayList<>(count);
    for (Key key : Wire.keys(request.getKeysList())) {
      BaseReads.AtHand found = buffered.getAtHand(key);
      if (found == null) {
        return null;
      }
      values.add(StoreReplies.value(Optional.ofNullable(found.value())));
    }
    return Values.newBuilder().setVersion(reader.untold()).addAllValues(values).build();
  }

  /** Values of as many of the keys as fit in a reply, from the first one on. */
  static Values values(GetAll request, Readers.Found reader) {
    ReadTransaction reads = reader.tx().snapshot();
    List<Key> keys = Wire.keys(request.getKeysList());
    Values.Builder values = Values.newBuilder().setVersion(reader.untold());
    long bytes = 0;
    for (int from = 0; from < keys.size() && bytes < REPLY_BYTES; from += KEYS_AT_A_TIME) {
      List<Key> some = keys.subList(from, Math.min(from + KEYS_AT_A_TIME, keys.size()));
      Map<Key, byte[]> found = reads.getAll(some);
      for (Key key : some) {
        Value value = StoreReplies.value(Optional.ofNullable(found.get(key)));
        values.addValues(value);
        bytes += VALUE_BYTES + value.getSerializedSize();
      }
    }
    return values.build();
  }

  /** Waits until there is room for another reply, or the session is over. */
  void awaitRoom() {
    lock.lock();
    try {
      waiting.incrementAndGet();
      while (!closed && !hasRoom.getAsBoolean()) {
        changed.awaitUninterruptibly();
      }
    } finally {
      waiting.decrementAndGet();
      lock.unlock();
    }
  }

  /** Answers a scan in parts that {@code to} takes. */
  static void scan(long id, SentScan request, Readers.Found reader, Consumer<byte[]> to) {
    int bytesLeft = Math.min(positive(request.bytes()), REPLY_BYTES);
    int rowsLeft = positive(request.rows());
    KeyRange range = KeyRange.of(request.begin(), request.end());
    long version = reader.untold();
    boolean unfinished = true;
    while (unfinished) {
      ScanPortion part =
          portion(reader.tx(), range, rowsLeft, Math.min(bytesLeft, PART_BYTES), request.reverse());
      rowsLeft -= part.rows().size();
      bytesLeft -= bytesOf(part);
      unfinished = part.more() && rowsLeft > 0 && bytesLeft > PART_BYTES_MIN;
      to.accept(ReplyFields.rows(id, part, unfinished, version));
      version = 0;
      if (unfinished) {
        Key last = part.rows().getLast().key();
        range =
            request.reverse()
                ? KeyRange.of(range.begin(), last)
                : KeyRange.of(last.next(), range.end());
      }
    }
  }

  /**
   * How many of the client's parts of a scan are unchanged. A few of many are not worth a
   * confirmation: sending the rows is simpler.
   */
  static int unchanged(SentScan request, Transaction reader) {
    int most = Math.min(request.known().size(), SentScan.KNOWN_MAX);
    int count = 0;
    if (!request.reverse() && reader instanceof BufferedTransaction buffered) {
      Key from = request.begin();
      while (count < most) {
        SentScan.Known part = request.known().get(count);
        if (from.compareTo(part.end()) >= 0
            || part.end().compareTo(request.end()) > 0
            || !buffered.isUnchanged(KeyRange.of(from, part.end()), part.version())) {
          break;
        }
        from = part.end();
        count++;
      }
    }
    return 2 * count >= most ? count : 0;
  }

  private static int bytesOf(ScanPortion part) {
    int bytes = 0;
    for (KeyValue row : part.rows()) {
      bytes += row.key().size() + row.value().length;
    }
    return bytes;
  }

  private static ScanPortion portion(
      Transaction tx, KeyRange range, int rows, int bytes, boolean reverse) {
    if (tx instanceof BufferedTransaction buffered) {
      return buffered.scanShared(range, rows, bytes, reverse);
    }
    Scan scan = tx.snapshot().scan(range).limit(rows).mode(modeFor(bytes));
    List<KeyValue> found = new ArrayList<>();
    int size = 0;
    for (KeyValue row : reverse ? scan.reverse() : scan) {
      found.add(row);
      size += row.key().size() + row.value().length;
      if (size >= bytes) {
        break;
      }
    }
    return new ScanPortion(found, size >= bytes || found.size() == rows);
  }

  /** An unsigned number of the wire; zero requests nothing and gets one row. */
  private static int positive(int unsigned) {
    return unsigned < 0 ? Integer.MAX_VALUE : Math.max(1, unsigned);
  }

  private static ScanMode modeFor(int bytes) {
    return bytes <= SMALL_SCAN_BYTES ? ScanMode.SMALL : ScanMode.LARGE;
  }
}
