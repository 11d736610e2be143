package dev.tidemark.remote.internal;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.Scan;
import dev.tidemark.remote.internal.wire.ScanRows;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Portions of scans, of which the next one is asked for before the scan comes to it. That begins
 * with the second portion, so that a scan that stops early costs nothing. Scans that take turns in
 * one transaction do without.
 */
final class ReadAhead {
  private final RemoteReads reads;

  /** What the scan that read last will ask for next. */
  private final AtomicReference<@Nullable Portion> expected = new AtomicReference<>();

  private final AtomicReference<@Nullable Asked> asked = new AtomicReference<>();

  private record Asked(Portion portion, Call call) {}

  /** Rows from {@code begin} (included) to {@code end} (excluded), at most {@code rows}. */
  record Portion(Key begin, Key end, int rows, boolean reverse) {
    ScanRows toRequest(long reader, int bytes) {
      return ScanRows.newBuilder()
          .setReader(reader)
          .setBegin(Wire.bytes(begin))
          .setEnd(Wire.bytes(end))
          .setRows(rows)
          .setBytes(bytes)
          .setReverse(reverse)
          .build();
    }

    /** What is asked for after {@code read}; null where that was the last portion. */
    @Nullable Portion after(Scan.Portion read) {
      int left = rows - read.rows().size();
      if (!read.more() || read.rows().isEmpty() || left <= 0) {
        return null;
      }
      Key last = read.rows().getLast().key();
      return reverse
          ? new Portion(begin, last, left, true)
          : new Portion(last.next(), end, left, false);
    }
  }

  ReadAhead(RemoteReads reads) {
    this.reads = reads;
  }

  /** Reads {@code portion} up to about {@code bytes}. */
  Scan.Portion scan(Portion portion, int bytes) {
    Asked before = asked.getAndSet(null);
    boolean goesOn = portion.equals(expected.get());
    Call call =
        before != null && before.portion().equals(portion)
            ? before.call()
            : reads.ask(portion, bytes);
    Scan.Portion read = reads.rowsOf(call);
    Portion next = portion.after(read);
    expected.set(next);
    if (goesOn && next != null) {
      asked.set(new Asked(next, reads.ask(next, bytes)));
    }
    return read;
  }
}
