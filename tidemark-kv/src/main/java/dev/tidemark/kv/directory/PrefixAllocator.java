package dev.tidemark.kv.directory;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/*
 * Numbers are handed out within a window, at random, so that concurrent transactions rarely want the
 * same one. The counter of a window tells how many of its numbers are taken; once that is half of
 * them, the window after it begins. "recent" has a row for each number taken in the current window.
 *
 * Everything is read as a snapshot: the counter, which every allocation changes, must not be a
 * conflict. The one dependency is that the chosen number is still free, and it is declared by hand.
 * FoundationDB's clients clear the rows of a window that is over without a write conflict; here the
 * clear is one, so that those who were about to take a number of that window start again in the next
 * one. That is once in 32 allocations at first and once in 4,096 later on.
 */

/** Hands out short byte strings, none of them twice. FoundationDB's high-contention allocator. */
final class PrefixAllocator {
  private static final byte[] ONE = {1, 0, 0, 0, 0, 0, 0, 0};
  private static final byte[] TAKEN = {};

  /**
   * Keep threads that share a transaction from choosing the same number, which no conflict would
   * tell. Picked by transaction.
   */
  private static final ReentrantLock[] LOCKS =
      IntStream.range(0, 64).mapToObj(i -> new ReentrantLock()).toArray(ReentrantLock[]::new);

  private final Subspace counters;
  private final Subspace recent;

  PrefixAllocator(Subspace space) {
    counters = space.sub(0);
    recent = space.sub(1);
  }

  /** A tuple of one integer that was never allocated here and never will be again. */
  Tuple allocate(Transaction tx) {
    ReentrantLock lock = LOCKS[System.identityHashCode(tx) & (LOCKS.length - 1)];
    lock.lock();
    try {
      return Tuple.of(freeNumber(tx, chooseWindow(tx)));
    } finally {
      lock.unlock();
    }
  }

  /** Counts an allocation and returns the begin of the window to make it in. */
  private long chooseWindow(Transaction tx) {
    long window =
        tx.snapshot()
            .scan(counters.range())
            .reverse()
            .first()
            .map(row -> counters.unpack(row.key()).getLong(0))
            .orElse(0L);
    while (count(tx, window) * 2 >= windowSize(window)) {
      window += windowSize(window);
      tx.clear(new KeyRange(counters.prefix(), counters.pack(window)));
      tx.clear(new KeyRange(recent.prefix(), recent.pack(window)));
    }
    return window;
  }

  private long count(Transaction tx, long window) {
    Key counter = counters.pack(window);
    tx.mutate(MutationType.ADD, counter, ONE);
    return tx.snapshot()
        .get(counter)
        .map(bytes -> ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong())
        .orElse(0L);
  }

  /** Takes a free number of the window. Less than half are taken, so few tries are needed. */
  private long freeNumber(Transaction tx, long window) {
    while (true) {
      long candidate = window + ThreadLocalRandom.current().nextInt(windowSize(window));
      Key row = recent.pack(candidate);
      if (tx.snapshot().get(row).isEmpty()) {
        tx.addReadConflict(row);
        tx.set(row, TAKEN);
        return candidate;
      }
    }
  }

  /** Small windows keep the first prefixes short; later ones are long anyway and seldom change. */
  private static int windowSize(long window) {
    if (window < 255) {
      return 64;
    }
    return window < 65_535 ? 1_024 : 8_192;
  }
}
