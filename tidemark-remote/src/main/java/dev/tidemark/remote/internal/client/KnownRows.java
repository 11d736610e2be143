package dev.tidemark.remote.internal.client;

import dev.tidemark.kv.Key;
import dev.tidemark.remote.internal.transport.PackedRows;
import dev.tidemark.remote.internal.transport.SentScan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/*
 * When a part may be used
 *
 * A part has all rows between two keys as of one version. That alone does not allow its use: a scan sends which parts it has, and the server answers which of them are the same in the version that the scan reads. It knows so from its own cache, whose stretches have the version since which they are unchanged.
 * So parts that are out of date cost memory and some bytes of a request, and are never read.
 *
 * Parts belong to one session. Versions of one store only grow, but behind the same address there
 * may be another one the next time: an older backup. No server ends a session and goes on with it.
 *
 * Parts do not overlap. A later part replaces those that it touches.
 */

/** The rows that scans of a session have fetched, for later scans. */
public final class KnownRows {
  /** The rough overhead of a part beside its rows. */
  private static final int OVERHEAD_BYTES = 256;

  /** The most parts that are looked up at a time. */
  private static final int LOOKUP_BYTES_MAX = 2 << 20;

  /** The parts in use that are skipped to find one that is not. */
  private static final int PASSED_OVER_MAX = 16;

  private final long bytesMax;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private final TreeMap<Key, Part> parts = new TreeMap<>();
  private long bytes;

  /** Where the search for something to forget goes on. */
  private Key hand = Key.EMPTY;

  /**
   * All rows between two keys.
   *
   * @param begin the first key
   * @param end the key after the last one
   * @param version as of which they are
   * @param count how many rows there are
   * @param rows the rows; to be copied before they are gone through
   * @param used whether it has been of use since the last search for something to forget
   */
  public record Part(
      Key begin, Key end, long version, int count, PackedRows.Reader rows, AtomicBoolean used) {
    int size() {
      return OVERHEAD_BYTES + begin.size() + end.size() + rows.held();
    }
  }

  /** Keeps about {@code bytesMax}; with 0 nothing. */
  KnownRows(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /**
   * Parts without a gap between them from {@code begin} on, not beyond {@code end} and not many
   * more than have {@code rows}.
   */
  List<Part> find(Key begin, Key end, int rows) {
    List<Part> found = new ArrayList<>();
    long size = 0;
    long count = 0;
    lock.lock();
    try {
      Map.Entry<Key, Part> next = parts.floorEntry(begin);
      while (next != null
          && next.getValue().end().compareTo(begin) > 0
          && next.getValue().end().compareTo(end) <= 0
          && size < LOOKUP_BYTES_MAX
          && count < rows
          && found.size() < SentScan.KNOWN_MAX) {
        Part part = next.getValue();
        part.used().set(true);
        found.add(part);
        size += part.size();
        // The first one may begin long before, so that none of its rows counts.
        count += part.begin().compareTo(begin) < 0 ? 0 : part.count();
        Part after = parts.get(part.end());
        next = after == null ? null : Map.entry(part.end(), after);
      }
      return found;
    } finally {
      lock.unlock();
    }
  }

  /** Where the next part after {@code key} begins, or {@code end} if that comes first. */
  Key gapEnd(Key key, Key end) {
    lock.lock();
    try {
      Key next = parts.higherKey(key);
      return next == null || next.compareTo(end) > 0 ? end : next;
    } finally {
      lock.unlock();
    }
  }

  /** Keeps {@code rows}, which are all from {@code begin} to {@code end} in {@code version}. */
  void add(Key begin, Key end, long version, int count, PackedRows.Reader rows) {
    if (bytesMax == 0 || begin.compareTo(end) >= 0) {
      return;
    }
    Part part = new Part(begin, end, version, count, rows.compact(), new AtomicBoolean());
    lock.lock();
    try {
      forgetBetween(begin, end);
      if (makeRoom(part.size())) {
        parts.put(begin, part);
        bytes += part.size();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Notes that the server found {@code part} as it was in {@code version}. */
  void confirmed(Part part, long version) {
    lock.lock();
    try {
      if (version > part.version()) {
        parts.replace(
            part.begin(),
            part,
            new Part(part.begin(), part.end(), version, part.count(), part.rows(), part.used()));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Forgets {@code part}, which is out of date. */
  void forget(Part part) {
    lock.lock();
    try {
      if (parts.remove(part.begin(), part)) {
        bytes -= part.size();
      }
    } finally {
      lock.unlock();
    }
  }

  private void forgetBetween(Key begin, Key end) {
    Map.Entry<Key, Part> touched = parts.lowerEntry(end);
    while (touched != null && touched.getValue().end().compareTo(begin) > 0) {
      forget(touched.getValue());
      touched = parts.lowerEntry(end);
    }
  }

  /** Forgets parts that were not used lately; false if that is not enough. */
  private boolean makeRoom(int size) {
    if (size > bytesMax) {
      return false;
    }
    int passedOver = 0;
    while (bytes + size > bytesMax && passedOver < PASSED_OVER_MAX && !parts.isEmpty()) {
      Map.Entry<Key, Part> next = parts.higherEntry(hand);
      next = next == null ? parts.firstEntry() : next;
      hand = next.getKey();
      if (next.getValue().used().getAndSet(false)) {
        passedOver++;
      } else {
        forget(next.getValue());
      }
    }
    return bytes + size <= bytesMax;
  }

  /** About how much is kept. */
  long size() {
    lock.lock();
    try {
      return bytes;
    } finally {
      lock.unlock();
    }
  }
}
